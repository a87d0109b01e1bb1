-- snapshot_commits_open: whether a transaction that a snapshot takes for finished is still under way for the server.
-- $1 text snapshot, as snapshot_shown shows it
select exists (
         select from pg_snapshot_xip(pg_current_snapshot()) x(id)
          where pg_visible_in_snapshot(x.id, $1::text::pg_snapshot)
       ) as are_open
