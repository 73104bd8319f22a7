-- Where the games lie, if the tables are spread over servers.
SELECT first_hash, last_hash, host, port FROM gangd.find_placements()
