-- The seeds of all decisions are in replay_data: who reads them knows every card.
-- The daemon writes them and never reads them, so its role may not; gangctl replay
-- runs as the owner.
-- compatible-from: 0010
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gangd_app') THEN
		REVOKE SELECT ON gangd.event FROM gangd_app;
		GRANT SELECT (game_id, version, at, type, seat, heist, color,
		              public_data, private_data)
			ON gangd.event TO gangd_app;
	END IF;
END
$$;
