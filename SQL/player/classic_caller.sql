-- classic_caller: the game of a classic call, with the salt of its token, and the player whom the device speaks for.
-- There is no player when the device is unknown, or has a token of its own.
-- Also whether the name looks like a charity's or holds a word that the game refuses, which no post may wear unless it
-- is the player's and was there first.
-- $1 text game slug   $2 bytea device hash or null   $3 text name or null   $4 text its skeleton or null
-- $5 text its skeleton in leet spelling, or null
select g.id, g.slug, g.classic, g.salt, p.id,
       coalesce(p.asked_name, p.name) is distinct from $3
       and is_refused_name(g.names, g.refused_skeletons, $4, $5)
  from game g
  left join device d on d.hash = $2 and d.token_hash is null
  left join player p on p.id = d.player_id
 where g.slug = $1
