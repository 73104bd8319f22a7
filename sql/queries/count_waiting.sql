-- The number of public games in the lobby that were created from an address, and
-- from its site (the first 48 bits of an IPv6 address; 0 for IPv4).
SELECT (
	SELECT count(*)::integer FROM gangd.game
	WHERE is_public AND status = 'lobby'
	  AND creator_address_hash = (SELECT gangd.hash_address(address => $1))
), (
	SELECT count(*)::integer FROM gangd.game
	WHERE is_public AND status = 'lobby'
	  AND creator_site_hash = (SELECT gangd.hash_address(
		gangd.site_of(address => $1)))
)
