-- player_gifts: what a player gave to each charity, and what of it anonymously, which only the player may see.
-- $1 bigint player   $2 bool the anonymous ones too
select c.slug, s.points, s.player_id < 0 as anonymous
  from charity c join standing s on s.board_id = c.board_id and (s.player_id = $1 or (s.player_id = - $1 and $2))
 order by c.slug, s.player_id < 0
