-- Is the database there, and does it run functions?
SELECT gangd.ping()
