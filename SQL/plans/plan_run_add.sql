-- plan_run_add: writes what a plan decided after a day, and when it runs next. The player's wallet is locked. A former
-- run that gave nothing goes.
-- $1 bigint player: Player.ID   $2 int version   $3 date day: Day   $4 bigint[] points: [Int64]   $5 uuid[] ids: [UUID]
-- $6 text[] skipped: [PlanSkip?]   $7 bigint[] owed: [Int64]   $8 date nextDay: Day   $9 timestamptz now
-- returns nothing
with advanced as (
  update plan o set next_day = $8 where o.player_id = $1 and o.version = $2
),
forgotten as (
  delete from plan_run r
   where r.player_id = $1 and r.version = $2 and r.done_at is not null and 0 = all(r.points) and r.day < $3
)
insert into plan_run (player_id, version, day, points, ids, skipped, owed, decided_at, done_at)
select $1, $2, $3, $4::bigint[], $5::uuid[], $6::text[], $7::bigint[], $9::timestamptz,
       case when 0 = all($4) then $9 end
