-- players_idle: looks at some players in the order of their ids, and says which have not called since a time: none of
-- their devices was used, nothing was saved, and nothing was posted or donated for them. Those who are one with another
-- player go with that one, and what they did counts for it.
-- $1 bigint after: Player.ID, player before the first one   $2 timestamptz since   $3 int limitRows
-- returns player: Player.ID, isIdle: Bool
select p.id,
       p.name <> ''
       and p.registered_at < $2::timestamptz
       and not exists (select from merge m where m.player_id = p.id)
       and (select d.hash
              from device d
             where d.player_id = p.id and (d.registered_at >= $2 or d.seen_on >= ($2 at time zone 'UTC')::date)
             limit 1) is null              -- for `not exists` the planner would read all devices, and then all saves
       and (select v.slot from save v where v.player_id = p.id and v.saved_at >= $2 limit 1) is null
       and not exists (select from score s where s.player_id = any(members(p.id)) and s.reached_at >= $2)
       and not exists (select from donation d where d.player_id = any(members(p.id)) and d.reached_at >= $2)
       as is_idle
  from player p
 where p.id > $1
 order by p.id
 limit $3::int
