-- own_profile_row: what a player is told of itself, hidden or not; its e-mail address is in its export alone.
-- $1 bigint player: Player.ID   $2 timestamptz now
-- returns OwnProfile
select p.id, coalesce(p.asked_name, p.name) as name, p.avatar, p.flag, p.country, p.wants_updates, p.unlisted,
       w.earned,
       w.held - case
         when w.secret_until > $2 then (select s.held::bigint from secret_points(w.player_id, $2) s)
         else 0
       end as held,
       published_left(w, $2) as remaining, settling_points(w, $2) as settling, w.donated,
       (select count(*) from device d where d.player_id = p.id and d.token_hash is not null) as devices,
       case when p.asked_name is not null then p.name end as shown_name, p.takes_asks,
       (select o.next_day from plan o where o.player_id = p.id and o.until is null) as plan_next_day
  from player p join wallet w on w.player_id = p.id
 where p.id = $1
