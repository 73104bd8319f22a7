-- compatible-from: 0008
--
-- A game's row has a copy of its seats, so that a load is one look-up and no
-- join.  The functions that change seats renew the copy (copy_seats); games of
-- before get one with their next change, and are loaded by a join until then.
-- So no row is written here, and functions of before may still run meanwhile.
ALTER TABLE gangd.game ADD COLUMN seats bytea;
ALTER TABLE gangd.game ALTER COLUMN seats SET STORAGE PLAIN;
COMMENT ON COLUMN gangd.game.seats IS
	'A copy of the rows of gangd.seat, as pack_seats() packs them; NULL: not '
	'copied yet.';
COMMENT ON TABLE gangd.seat IS
	'The players.  Names stand here and, copied, in game.seats: copy_seats() '
	'renews the copy when a person is erased by hand.';
