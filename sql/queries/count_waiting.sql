-- How many public games wait for players that were made from an address, and
-- from its site (48 bits of IPv6; 0 for IPv4).
SELECT (
	SELECT count(*)::integer FROM gangd.game
	WHERE is_public AND status = 'lobby'
	  AND made_from = (SELECT gangd.hash_address($1))
), (
	SELECT count(*)::integer FROM gangd.game
	WHERE is_public AND status = 'lobby'
	  AND made_from_site = (SELECT gangd.hash_address(gangd.site_of($1)))
)
