-- durability_read: the settings that decide whether what was committed outlasts a crash.
-- fsync, full_page_writes, this session's synchronous_commit, and whether commits can wait for standbys.
-- returns Durability(flushes, writesFullPages, synchronousCommit, hasSynchronousStandbys)
select current_setting('fsync')::bool,
       current_setting('full_page_writes')::bool,
       current_setting('synchronous_commit'),
       current_setting('synchronous_standby_names') <> ''
