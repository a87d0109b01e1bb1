-- book_charities: what each charity had received by the end of a closed day, in the order of their slugs.
-- $1 date day
-- returns DayBooks.Account(slug, name, points)
select c.slug, c.name, k.points
  from charity c
  join lateral (
         select b.points from book_charity b where b.charity_id = c.id and b.day <= $1 order by b.day desc limit 1
       ) k on true
 order by c.slug collate "C"
