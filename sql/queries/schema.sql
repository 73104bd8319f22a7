-- What has been applied to this database.
SELECT name, digest FROM gangd.schema_migration
