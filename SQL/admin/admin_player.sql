-- admin_player: what operators may know of a player, the personal part last; of rows at most a hundred thousand count.
-- A player who was merged has the ledgers and the wallet of the one whom it is one with. Who may not know what was
-- given anonymously is told sums without it, so that no subtraction tells it.
-- $1 bigint player   $2 bool whether what was given anonymously counts
select p.id, g.slug, p.name, p.avatar, p.hidden, p.registered_at, m.survivor_id as merged_into,
       w.earned, w.voided, w.held, w.given - a.points as given,
       greatest(0, w.earned - w.voided - w.held - (w.given - a.points)) as remaining,
       (select count(*) from (select from score s where s.player_id = any(members(p.id)) limit 100000) counted),
       (select count(*)
          from (select from donation d where d.player_id = any(members(p.id)) and ($2 or not d.anonymous)
                 limit 100000) counted),
       (select count(*) from device d where d.player_id = any(members(p.id))) as devices,
       p.email, p.fb_uid, p.country, p.wants_updates, p.updates_since, p.updates_source
  from player p
  join game g on g.id = p.game_id
  left join merge m on m.player_id = p.id
  join wallet w on w.player_id = coalesce(m.survivor_id, p.id)
 cross join lateral (
         -- The index of anonymous donations is by charity, and would be read from end to end for one player.
         select coalesce(sum(case when d.anonymous then d.points end), 0)::bigint as points
           from donation d
           left join donation_state t on t.player_id = d.player_id and t.id = d.id
          where not $2 and d.player_id = any(members(p.id)) and t.reversed is not true
       ) a
 where p.id = $1
