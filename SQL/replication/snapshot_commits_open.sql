-- snapshot_commits_open: whether a transaction that a snapshot takes for finished is still under way for the server.
-- Those from the server's first one to come on are all under way; PostgreSQL does not list them.
-- $1 text snapshot, as snapshot_shown shows it
-- returns Bool
select exists (
         select from pg_snapshot_xip(now) x(id)
          where pg_visible_in_snapshot(x.id, shown)
       ) or exists (
         select from generate_series(pg_snapshot_xmax(now)::text::int8, pg_snapshot_xmax(shown)::text::int8 - 1) x(id)
          where pg_visible_in_snapshot(x.id::text::xid8, shown)
       ) as are_open
  from pg_current_snapshot() now, cast($1::text as pg_snapshot) shown
