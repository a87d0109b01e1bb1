-- plan_run_last: what the newest run of a player's plan gave, of whatever version it was.
-- $1 bigint player: Player.ID
-- returns FinishedRun
select r.day,
       plan_slugs(o) as slugs, r.points, r.ids, r.skipped
  from plan_run r
  join plan o on o.player_id = r.player_id and o.version = r.version
 where r.player_id = $1 and r.done_at is not null
 order by r.version desc, r.day desc
 limit 1
