-- Is the database there?
SELECT now()
