-- primary_position_read: how far the primary has come. What it has acknowledged is on its disk, so a standby that has
-- replayed as much shows it.
-- The cluster, its timeline, and a position in the write-ahead log.
-- returns PrimaryPosition
select s.system_identifier,
       ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::bigint,
       pg_current_wal_flush_lsn()::text
  from pg_control_system() s
