-- plans_exported: the plans of a player and those who are one with it, former ones too, after a row of the list.
-- $1 bigint player: Player.ID   $2 bigint afterPlayer: Player.ID   $3 int afterVersion: Int32   $4 int limitRows: Int32
-- returns ExportedPlan
select o.player_id, o.version,
       plan_slugs(o) as slugs, o.shares, o.every, o.keep, o.anonymous, o.since, o.until, o.next_day
  from plan o
 where o.player_id = any(members($1)) and (o.player_id, o.version) > ($2, $3::int)
 order by o.player_id, o.version
 limit $4::int
