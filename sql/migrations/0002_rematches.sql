-- A gang that has ended a game goes on in another: the two name each other.
-- No foreign keys: the other game may lie on another server, or be deleted.
ALTER TABLE gangd.game
	ADD COLUMN rematch uuid,
	ADD COLUMN rematch_of uuid;
COMMENT ON COLUMN gangd.game.rematch IS 'The game that came after this one.';
COMMENT ON COLUMN gangd.game.rematch_of IS 'The game that came before it.';
