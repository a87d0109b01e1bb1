-- database_state_read: whether the database takes no writes, as a standby, and the number of its newest migration.
-- returns DatabaseState
select pg_is_in_recovery() or current_setting('transaction_read_only')::bool, max(number) from migration
