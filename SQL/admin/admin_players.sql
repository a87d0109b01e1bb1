-- admin_players: players by one thing that is known of them, hidden ones too, by id. A name is looked for in each game
-- by an index, whatever its case; all players of that name are read, to be in order.
-- $1 text game slug, or null for all   $2 text name, or null   $3 bigint player, or null
-- $4 bytea[] hashes of a game's own id of the player, or null   $5 text e-mail, or null
-- $6 bigint player before the first one   $7 int rows, at least 1
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from game g join player p on p.game_id = g.id and lower(p.name) = lower($2)
 where $2::text is not null and ($1::text is null or g.slug = $1) and p.id > $6
 union all
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from player p join game g on g.id = p.game_id
 where $3::bigint is not null and p.id = $3 and ($1::text is null or g.slug = $1) and p.id > $6
 union all
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from device d join player p on p.id = d.player_id join game g on g.id = p.game_id
 where $4::bytea[] is not null and d.hash = any($4) and ($1::text is null or g.slug = $1) and p.id > $6
 union all
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from player p join game g on g.id = p.game_id
 where $5::text is not null and p.email is not null and lower(p.email) = lower($5)
   and ($1::text is null or g.slug = $1) and p.id > $6
 order by 1
 limit $7::int
