-- database_settings_read: settings that decide what a post costs, how much log is kept and whether another server fits;
-- one
-- row for each that this login may read.
-- Its name, as SHOW prints it, its number in bytes, milliseconds or as it is (null for a word), and, where it bounds
-- sessions of replication, how many there are now.
-- returns DatabaseSetting(name, value, amount, inUse)
select s.name,
       current_setting(s.name),
       case when s.vartype = 'integer'
            then s.setting::bigint * case s.unit when '8kB' then 8192 when 'kB' then 1024 when 'MB' then 1048576
                                                 when 's' then 1000 when 'min' then 60000 else 1 end
       end,
       case s.name when 'max_replication_slots' then (select count(*) from pg_replication_slots)
                   when 'max_wal_senders' then (select count(*) from pg_stat_replication)
       end
  from pg_settings s
 where s.name in ('autovacuum', 'checkpoint_timeout', 'jit', 'max_replication_slots', 'max_slot_wal_keep_size',
                  'max_wal_senders', 'max_wal_size', 'shared_buffers', 'wal_compression')
 order by s.name
