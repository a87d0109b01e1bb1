-- database_vitals_read: how PostgreSQL itself is: one row, from statistics that cost little to read.
-- Connections to all databases and how many may be, sessions that wait for a lock, the slots, the WAL bytes that the
-- slot keeps which is furthest behind and how many it may keep (null for no bound), how many slots were lost or are
-- unread, the WAL written since PostgreSQL's statistics began, the age of the oldest transaction number, the database's
-- bytes, and the eight tables with most rows: names, dead rows and live rows. Nothing here waits for a lock on a table.
-- returns DatabaseVitals
with slot as (
    select count(*) as slots,
           max(case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end) as kept,
           count(*) filter (where wal_status = 'lost') as lost,
           count(*) filter (where not active) as unread
      from pg_replication_slots
), biggest as (
    select relname::text as name, n_dead_tup as dead, n_live_tup as live
      from pg_stat_user_tables where schemaname = current_schema()
     order by n_live_tup + n_dead_tup desc, relname limit 8
), big as (
    select array_agg(name order by name) as names, array_agg(dead order by name) as dead,
           array_agg(live order by name) as live
      from biggest
)
select (select sum(numbackends)::bigint from pg_stat_database), -- pg_stat_activity hides what others' sessions are
       current_setting('max_connections')::bigint,
       (select count(*) from pg_locks where not granted),
       slot.slots, coalesce(slot.kept, 0)::bigint,
       (select nullif(setting::bigint, -1) * 1048576 from pg_settings where name = 'max_slot_wal_keep_size'),
       slot.lost, slot.unread,
       (select wal_bytes::bigint from pg_stat_wal),
       (select age(datfrozenxid)::bigint from pg_database where datname = current_database()),
       pg_database_size(current_database()),
       coalesce(big.names, '{}'), coalesce(big.dead, '{}'), coalesce(big.live, '{}')
  from slot, big
