-- board_list: the boards that are played now, score boards by game first, then those of giving.
-- $1 text game slug, or null for all
select b.kind, g.slug, b.slug, b.season, b.name, b.policy, b.lowest_first, b.points_min, b.points_max, b.zone, b.ties,
       b.earns, b.earns_fixed, b.earn_max, b.earn_day, b.opens_at, b.closes_at, b.display, b.unit, b.trust
  from board b left join game g on g.id = b.game_id
 where b.season_ended_at is null and ($1::text is null or g.slug = $1)
 order by b.kind desc, g.slug, b.slug
