-- charity_list: all charities by slug.
select c.slug, c.name, c.url, c.description, c.goal, c.opens_at, c.closes_at, b.zone
  from charity c join board b on b.id = c.board_id
 order by c.slug
