-- saves_idle: checks a page of players with saves, in the order of their ids, and whether each is idle: since a time,
-- no device was used, and nothing was saved, posted or donated. Merged players count as one.
-- $1 bigint after: Player.ID, player before the first one   $2 timestamptz before, idle if unused since then
-- $3 int = Limits.sweptRows, players
-- returns player: Player.ID, isDue: Bool
with recursive owner (player_id) as (
  (select v.player_id from save v where v.player_id > $1::bigint order by v.player_id limit 1)
   union all
  select (select v.player_id from save v where v.player_id > o.player_id order by v.player_id limit 1)
    from owner o
   where o.player_id is not null
),
page as materialized (
  select o.player_id from owner o where o.player_id is not null limit $3::int
)
select p.player_id,
       not exists (select
                     from device d
                    where d.player_id = coalesce((select m.survivor_id from merge m where m.player_id = p.player_id),
                                                 p.player_id)
                      and (d.registered_at >= $2::timestamptz or d.seen_on >= ($2 at time zone 'UTC')::date))
       and not exists (select from save v where v.player_id = any(members(p.player_id)) and v.saved_at >= $2)
       and not exists (select from score s where s.player_id = any(members(p.player_id)) and s.reached_at >= $2)
       and not exists (select from donation d where d.player_id = any(members(p.player_id)) and d.reached_at >= $2)
       as is_idle
  from page p
 order by p.player_id
