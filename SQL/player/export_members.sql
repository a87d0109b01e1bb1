-- export_members: what is kept of those who are one with a player beside itself, for its export: what each told of
-- itself, of which nothing is shown any more.
-- $1 bigint player: Player.ID
-- returns ExportedMember
select p.id, coalesce(p.asked_name, p.name) as name, g.slug, p.registered_at, p.country, p.email, p.fb_uid,
       p.wants_updates, p.updates_since, p.updates_source, a.png, p.flag, p.flag_at
  from merge m
  join player p on p.id = m.player_id
  join game g on g.id = p.game_id
  left join avatar a on a.sha256 = p.avatar
 where m.survivor_id = $1
 order by p.id
