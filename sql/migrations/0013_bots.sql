-- Seats that the service plays itself.  A bot's row in gangd.seat has a level; its
-- token hash belongs to no token.  The daemon takes the games whose bot_due_at has
-- come: a change of a game with bots that is under way sets it, and all other games
-- have NULL, so that their moves stay heap-only and the index does not hold them.
--
-- Daemons of before play on.  They show a bot's level behind a line feed in its
-- avatar, and seat no bots.  They may commit a move to a game with bots without
-- setting bot_due_at: its bots then wait for the next change by a later daemon.
--
-- The index scans all games.  Where that takes longer than a statement waits, run
-- the first two statements and CREATE INDEX CONCURRENTLY before.
-- compatible-from: 0012
ALTER TABLE gangd.seat
	ADD COLUMN IF NOT EXISTS bot_level smallint
	CHECK (bot_level BETWEEN 1 AND 3);
ALTER TABLE gangd.game
	ADD COLUMN IF NOT EXISTS bots smallint NOT NULL DEFAULT 0,
	ADD COLUMN IF NOT EXISTS bot_due_at timestamptz;
CREATE INDEX IF NOT EXISTS game_bot_due
	ON gangd.game (bot_due_at) WHERE bot_due_at IS NOT NULL;
COMMENT ON COLUMN gangd.seat.bot_level IS
	'The level of the bot that has the seat: 1 novice, 2 steady, 3 sharp.  NULL: '
	'a person has it.';
COMMENT ON COLUMN gangd.game.bots IS
	'The number of seats with a bot; copy_seats() counts them.';
COMMENT ON COLUMN gangd.game.bot_due_at IS
	'When a daemon is to look whether a bot moves; a daemon that looks sets it '
	'forward, so that no other does meanwhile.  NULL: no bot has anything to do.';
