-- Distribute the tables of gangd.  A superuser runs this once on the coordinator,
-- after the first gangctl migrate and before the first game, then functions.sql:
--
--   psql -X -v ON_ERROR_STOP=1 -d gangd -f distribute.sql
--
-- All rows of a game lie on one worker: the tables that begin with game_id are one
-- group.  A table comes after those that it refers to.  Invitations and the keys of
-- creations, which are found before the game is known, stay at the coordinator, and so
-- does gangd.commit_report.  So a game can be created while another worker is away.
--
-- A statement that asks all shards costs as much as there are shards.  Twelve are two to
-- four for each worker of three to six, and can be moved when workers are added.
SET citus.shard_count = 12;
SET citus.multi_shard_modify_mode = 'sequential';

SELECT create_distributed_table('gangd.game', 'game_id', colocate_with => 'none');
SELECT create_distributed_table('gangd.seat', 'game_id', colocate_with => 'gangd.game');
SELECT create_distributed_table('gangd.event', 'game_id', colocate_with => 'gangd.game');
SELECT create_distributed_table('gangd.idempotency_key', 'game_id', colocate_with => 'gangd.game');
SELECT create_distributed_table('gangd.stream_ticket', 'game_id', colocate_with => 'gangd.game');
SELECT create_distributed_table('gangd.transfer', 'game_id', colocate_with => 'gangd.game');
SELECT create_distributed_table('gangd.push_subscription', 'game_id', colocate_with => 'gangd.game');
SELECT create_distributed_table('gangd.notification', 'game_id', colocate_with => 'gangd.game');

SELECT citus_add_local_table_to_metadata('gangd.invitation');
SELECT citus_add_local_table_to_metadata('gangd.creation_key');
SELECT citus_add_local_table_to_metadata('gangd.commit_report');

SELECT create_reference_table('gangd.schema_migration');
SELECT create_reference_table('gangd.address_secret');
