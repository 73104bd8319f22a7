-- Which functions this session can run: those that its role may call, if one of them
-- can be called at all.  A role that adds no events is that of gangd-push, which may
-- call few of them.
SELECT proname::text
FROM pg_catalog.pg_proc
JOIN pg_catalog.pg_class AS t ON relnamespace = pronamespace AND relname = 'event'
WHERE pronamespace = to_regnamespace('gangd')
AND (SELECT gangd.ping()) IS NOT NULL
AND (has_function_privilege(pg_proc.oid, 'EXECUTE')
	OR NOT has_table_privilege(t.oid, 'INSERT'))
