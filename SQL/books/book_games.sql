-- book_games: what had been earned in each game by the end of a closed day, in the order of their slugs.
-- $1 date day
-- returns DayBooks.Account(slug, name, points)
select g.slug, g.name, k.points
  from game g
  join lateral (
         select b.points from book_game b where b.game_id = g.id and b.day <= $1 order by b.day desc limit 1
       ) k on true
 order by g.slug collate "C"
