-- compatible-from: 0008
--
-- The daemon counts the games that are not over for its metrics.  Without an index
-- that would read the states of all games.  A move changes neither column, unless
-- it starts or ends the game.
CREATE INDEX IF NOT EXISTS game_open
	ON gangd.game (ruleset, status) WHERE status IN ('lobby', 'playing');
