-- plan_runs_exported: what the plans of a player and those who are one with it gave, after a row of the list.
-- $1 bigint player: Player.ID   $2 bigint afterPlayer: Player.ID   $3 int afterVersion: Int32   $4 date afterDay: Day
-- $5 int limitRows: Int32
-- returns ExportedRun
select r.player_id, r.version, r.day,
       plan_slugs(o) as slugs, r.points, r.ids, r.skipped, r.owed, r.decided_at, r.done_at
  from plan_run r
  join plan o on o.player_id = r.player_id and o.version = r.version
 where r.player_id = any(members($1)) and (r.player_id, r.version, r.day) > ($2, $3::int, $4::date)
 order by r.player_id, r.version, r.day
 limit $5::int
