-- plan_runs_open: the runs whose donations were decided and may not all have been tried.
-- $1 int = Limits.planRunsAtOnce, rows
-- returns OpenRun
select r.player_id, r.version, r.day,
       plan_slugs(o) as slugs, r.points, r.ids, o.anonymous, w.merged as is_merged
  from plan_run r
  join plan o on o.player_id = r.player_id and o.version = r.version
  join wallet w on w.player_id = r.player_id
 where r.done_at is null
 order by r.player_id, r.version
 limit $1::int
