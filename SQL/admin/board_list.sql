-- board_list: the boards that are played now, score boards by game first, then those of donations, with the version of
-- their settings.
-- $1 text game: Slug?, null for all   $2 text board: Slug? = nil, null for all
-- returns BoardListing
select b.kind, g.slug, b.slug, b.season, b.name, b.policy, b.lowest_first, b.points_min, b.points_max, b.zone, b.ties,
       b.earns, b.earns_fixed, b.earn_max, b.earn_day, b.opens_at, b.closes_at, b.display, b.unit, b.trust,
       b.hold_above::text, b.hold_rate, b.hold_pace, b.judge, b.settle, b.details, b.xmin::text
  from board b left join game g on g.id = b.game_id
 where b.season_ended_at is null and ($1::text is null or g.slug = $1)
   and ($2::text is null or b.slug = $2)
 order by b.kind desc, g.slug, b.slug
