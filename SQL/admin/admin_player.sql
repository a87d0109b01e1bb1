-- admin_player: what operators may know of a player, the personal part last; of rows at most a hundred thousand count.
-- $1 bigint player
select p.id, g.slug, p.name, p.avatar, p.hidden, p.registered_at,
       w.earned, w.voided, w.held, w.given, greatest(0, unspent(w)) as remaining,
       (select count(*) from (select from score s where s.player_id = p.id limit 100000) counted),
       (select count(*) from (select from donation d where d.player_id = p.id limit 100000) counted),
       p.email, p.fb_uid, p.country, p.wants_updates, p.updates_since, p.updates_source
  from player p
  join game g on g.id = p.game_id
  join wallet w on w.player_id = p.id
 where p.id = $1
