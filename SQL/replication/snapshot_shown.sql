-- snapshot_shown: which transactions the snapshot of this transaction takes for finished, as PostgreSQL writes a
-- snapshot: the first one under way, the first one to come, and those under way in between.
select pg_current_snapshot()::text as snapshot
