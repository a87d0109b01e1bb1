-- team_report_add: keeps that a player reports the name of a team, once. No row when there is no such team, or the
-- reporter was erased. True when it was reported by this player before.
-- $1 text game: Slug   $2 bigint team: Team.ID   $3 bigint reporter: Player.ID   $4 timestamptz now
-- $5 bigint source: Int64?, keyed hash of the reporter's network, or null
-- returns Bool
with judged as materialized (
  select t.id
    from game g
    join team t on t.game_id = g.id
    join (select p.id from player p where p.id = $3 and p.name <> '' for share) r on true
   where g.slug = $1 and t.id = $2 and not t.hidden
), added as (
  insert into team_report (team_id, reporter_id, reported_at, source) select j.id, $3, $4, $5 from judged j
  on conflict do nothing
  returning team_id
)
select not exists (select from added) from judged j
