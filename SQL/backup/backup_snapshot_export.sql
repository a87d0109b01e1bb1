-- backup_snapshot_export: exports the snapshot of this transaction, for pg_dump to read the same rows.
-- Its name, the position in the write-ahead log, the clock, PostgreSQL's version number, and the size of the database.
-- returns name: String, position: String, moment: Instant, version: Int32, databaseBytes: Int64
select pg_export_snapshot(),
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text,
       clock_timestamp(),
       current_setting('server_version_num')::int,
       pg_database_size(current_database())
