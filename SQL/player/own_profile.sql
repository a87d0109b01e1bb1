-- own_profile: what a player may see of itself, hidden or not; its e-mail address is in its export alone.
-- $1 bigint player
select p.id, coalesce(p.asked_name, p.name) as name, p.avatar, p.country, p.wants_updates, p.unlisted,
       w.earned, w.held, greatest(0, unspent(w)) as remaining, w.given,
       (select count(*) from device d where d.player_id = p.id and d.token_hash is not null) as devices,
       case when p.asked_name is not null then p.name end as shown_name
  from player p join wallet w on w.player_id = p.id
 where p.id = $1
