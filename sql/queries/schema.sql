-- The migrations that were applied, and which older programs each allows.
SELECT name, digest, compatible_from FROM gangd.schema_migration
