-- From now on a migration says which programs may go on while, and after, it is
-- applied: the line "-- compatible-from: NNNN" in its file names the oldest
-- last migration that such a program knows.  Without the line there is none.
ALTER TABLE gangd.schema_migration ADD COLUMN compatible_from text;
COMMENT ON COLUMN gangd.schema_migration.compatible_from IS
	'A program goes on with this migration, which it does not know, if the '
	'last one that it knows is this or a later one; NULL: none goes on.';
