-- The lobby lists the newest games first.  Ids begin with the time they were
-- drawn, so they give the order, and the place in it where a page ends.
DROP INDEX gangd.game_lobby;
CREATE INDEX game_lobby ON gangd.game (game_id)
	WHERE is_public AND status = 'lobby';
