-- admin_subscribers: those who asked for updates and left an e-mail address, by player; a page of `subscribers`.
-- $1 bigint after: Player.ID, player before the first one   $2 int limitRows, rows, at least 1
-- returns Subscriber(player, game, name, email, since, source)
select p.id, g.slug, p.name, p.email, p.updates_since, p.updates_source
  from player p join game g on g.id = p.game_id
 where p.wants_updates and p.email is not null and p.id > $1
   and not exists (select from merge m where m.player_id = p.id)
 order by p.id
 limit $2::int
