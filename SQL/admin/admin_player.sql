-- admin_player: what operators may know of a player, the personal part last; of rows at most a hundred thousand count.
-- A player who was merged has the ledgers and the wallet of the one whom it is one with.
-- $1 bigint player: Player.ID   $2 bool withAnonymous, whether what was donated anonymously counts among the donations
-- returns PlayerRecord
select p.id, g.slug, p.name, p.avatar, p.hidden, p.registered_at, m.survivor_id as merged_into,
       w.earned, w.voided, w.held, w.donated,
       (select count(*) from (select from score s where s.player_id = any(members(p.id)) limit 100000) counted),
       (select count(*)
          from (select from donation d where d.player_id = any(members(p.id)) and ($2 or not d.anonymous)
                 limit 100000) counted),
       (select count(*) from device d where d.player_id = any(members(p.id))) as devices, p.flag,
       p.email, p.fb_uid, p.country, p.wants_updates, p.updates_since, p.updates_source
  from player p
  join game g on g.id = p.game_id
  left join merge m on m.player_id = p.id
  join wallet w on w.player_id = coalesce(m.survivor_id, p.id)
 where p.id = $1
