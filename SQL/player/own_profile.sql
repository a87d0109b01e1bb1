-- own_profile: what a player may see of itself, hidden or not; its e-mail address and device are in no answer.
-- $1 bigint player
select p.id, p.name, p.avatar, p.country, p.wants_updates,
       w.earned, w.held, greatest(0, unspent(w)) as remaining, w.given
  from player p join wallet w on w.player_id = p.id
 where p.id = $1
