-- export_player: everything that is kept of a player itself, for its export.
-- $1 bigint player: Player.ID   $2 timestamptz now
-- returns ExportedPlayer
select p.id, coalesce(p.asked_name, p.name) as name, p.avatar, p.flag, p.country, p.wants_updates, p.unlisted,
       w.earned, w.held - coalesce(s.held, 0)::bigint as held, published_left(w, $2) as remaining,
       settling_points(w, $2) as settling, w.donated,
       (select count(*) from device d where d.player_id = p.id and d.token_hash is not null) as devices,
       case when p.asked_name is not null then p.name end as shown_name,
       p.takes_asks,
       (select o.next_day from plan o where o.player_id = p.id and o.until is null) as plan_next_day,
       g.slug, p.registered_at, p.email, p.fb_uid, p.updates_since, p.updates_source, p.hidden, a.png,
       w.voided - coalesce(s.voided, 0)::bigint as voided, p.flag_at
  from player p
  join game g on g.id = p.game_id
  join wallet w on w.player_id = p.id
  left join lateral (select t.held, t.voided from secret_points(p.id, $2) t where w.secret_until > $2) s on true
  left join avatar a on a.sha256 = p.avatar
 where p.id = $1
