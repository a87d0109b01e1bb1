-- charity_days: what each day brought to a charity, the earliest day first, from the tallies of its board.
-- $1 text charity: Slug
-- returns CharityGrowth.DayTotal(day, points)
select t.day, sum(t.points)
  from charity c join tally t on t.board_id = c.board_id
 where c.slug = $1
 group by t.day
 order by t.day
