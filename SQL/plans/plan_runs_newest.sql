-- plan_runs_newest: the newest runs of a player's plans, of all versions, and what each donated.
-- $1 bigint player: Player.ID   $2 int limitRows: Int32
-- returns FinishedRun
select r.day,
       plan_slugs(o) as slugs, r.points, r.ids, r.skipped
  from plan_run r
  join plan o on o.player_id = r.player_id and o.version = r.version
 where r.player_id = $1 and r.done_at is not null
 order by r.version desc, r.day desc
 limit $2::int
