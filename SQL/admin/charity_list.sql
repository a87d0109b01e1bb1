-- charity_list: charities by slug, with the version of their settings.
-- $1 text slug: Slug? = nil, null for all
-- returns CharityListing
select c.slug, c.name, c.url, c.description, c.goal, c.opens_at, c.closes_at, b.zone,
       c.cooling_off, c.cap_day, c.cap_all,
       c.xmin::text || '-' || b.xmin::text
  from charity c join board b on b.id = c.board_id
 where $1::text is null or c.slug = $1
 order by c.slug
