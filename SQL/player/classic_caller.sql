-- classic_caller: the game of a classic call, with the salt of its token, and whom the calling device speaks for, if it is known.
-- $1 text game slug   $2 bytea device hash
select g.id, g.slug, g.classic, g.salt, p.id, p.name
  from game g left join device d on d.hash = $2 left join player p on p.id = d.player_id
 where g.slug = $1
