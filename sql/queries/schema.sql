-- What has been applied to this database, and which programs go on with it.
SELECT name, digest, compatible_from FROM gangd.schema_migration
