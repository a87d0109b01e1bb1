-- archiver_state_read: how the archiving of the write-ahead log goes, as PostgreSQL itself says.
-- The cluster's own number, files archived and failures since the counters began, when the last of each was, the file
-- that failed, how many files wait, since when the oldest of these waits, the clock, and how many players were erased.
-- returns ArchiverState(system, archived, failures, lastArchived, lastFailed, failedFile, waitingFiles, waitingSince,
--   clock, erasures)
select (select system_identifier::text from pg_control_system()),
       a.archived_count,
       a.failed_count,
       a.last_archived_time,
       a.last_failed_time,
       a.last_failed_wal,
       w.files,
       w.since,
       clock_timestamp(),
       (select count(*) from erasure)
  from pg_stat_archiver a,
       (select count(*) as files, min(modification) as since
          from pg_ls_archive_statusdir()
         where name like '%.ready') w
