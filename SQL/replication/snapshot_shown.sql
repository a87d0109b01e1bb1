-- snapshot_shown: which transactions the snapshot of this transaction takes for finished, as PostgreSQL writes a
-- snapshot: the first one under way, the first one to come, and those under way in between. In a snapshot that a slot
-- exports, the first one to come may be before the first one under way (SnapBuildProcessRunningXacts moves the latter
-- alone), which PostgreSQL writes so and does not read again.
-- returns String
select format('%s:%s:%s', pg_snapshot_xmin(shown), greatest(pg_snapshot_xmin(shown), pg_snapshot_xmax(shown)),
              (select string_agg(x.id::text, ',' order by x.id) from pg_snapshot_xip(shown) x(id))) as snapshot
  from pg_current_snapshot() shown
