-- charity_games: what the players of each game donated to a charity by name, the most first.
-- $1 text charity: Slug   $2 int limitRows
-- returns CharityGrowth.GameShare(game, gameName, points)
select g.slug, g.name, s.points
  from (select p.game_id, sum(s.points) as points
          from charity c join standing s on s.board_id = c.board_id and s.player_id > 0
          join player p on p.id = s.player_id
         where c.slug = $1
         group by p.game_id) s
  join game g on g.id = s.game_id
 order by s.points desc, g.slug
 limit $2::int
