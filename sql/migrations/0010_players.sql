-- compatible-from: 0008
--
-- A player may choose an avatar, and change name, avatar and token.  Programs of
-- before do not know the avatar, and go on without it.
ALTER TABLE gangd.seat
	ADD COLUMN avatar text CHECK (strpos(avatar, E'\n') = 0);
COMMENT ON COLUMN gangd.seat.avatar IS
	'A text by which clients show the player, such as an emoji or the name of a '
	'picture; the service gives it no meaning.  NULL: none.';
COMMENT ON TABLE gangd.seat IS
	'The players.  Names stand here, copied in game.seats, and in the events that '
	'name players (see event.public_data).  To erase a person by hand, change the '
	'name here, renew the copy by copy_seats(), and erase those of the events.';
COMMENT ON COLUMN gangd.event.public_data IS
	'What every viewer may see.  Of types 1, 2 and 6 (a player joined, left or '
	'changed) it is the name that the player had then, and of type 6 the avatar '
	'and the earlier name, each behind a line feed.  It may be set to NULL there '
	'to erase a person: the replay does not read it.';
