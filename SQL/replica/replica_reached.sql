-- replica_reached: whether this is a standby of that cluster and timeline that has replayed that position. After a
-- fail-over it names the new timeline only at its next restart point, and is not asked before: a position alone would
-- say nothing of a standby that still follows a former primary.
-- $1 bigint cluster   $2 bigint timeline   $3 text position
select pg_is_in_recovery()
       and s.system_identifier = $1
       and greatest(c.timeline_id::bigint, r.min_recovery_end_timeline::bigint) = $2
       and coalesce(pg_last_wal_replay_lsn() >= $3::text::pg_lsn, false)
  from pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r
