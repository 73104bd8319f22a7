-- As count_waiting, where the games lie on several servers, of which those that are away
-- are left out.
SELECT coalesce(sum(of_address), 0)::integer, coalesce(sum(of_site), 0)::integer
FROM gangd.ask_games(format($query$
	SELECT count(*) FILTER (WHERE creator_address_hash = %1$L) AS of_address,
	       count(*) FILTER (WHERE creator_site_hash = %2$L) AS of_site
	FROM @game
	WHERE is_public AND status = 'lobby'
	  AND (creator_address_hash = %1$L OR creator_site_hash = %2$L)$query$,
	(SELECT gangd.hash_address(address => $1)),
	(SELECT gangd.hash_address(gangd.site_of(address => $1))))) AS told,
LATERAL json_to_record(told) AS waiting (of_address integer, of_site integer)
