-- donation_board_find: the board of all contributors ('overall'), or a charity's by its slug, and what day it is there.
-- $1 text slug: Slug, a charity's or `overall`   $2 timestamptz now
-- returns Board
select b.id, b.kind, b.slug, b.name, b.policy, b.lowest_first, b.ties, b.zone,
       coalesce(c.opens_at, b.opens_at), coalesce(c.closes_at, b.closes_at), b.season_ended_at,
       b.points_min, b.points_max, b.display, b.unit, b.details, 0 as team_best, false as shows_rosters,
       b.country_best,
       exists (select from effective_game g where g.flags) as flags,
       ($2::timestamptz at time zone b.zone)::date as today
  from board b left join charity c on c.board_id = b.id
 where b.kind = 'donation' and b.game_id is null and b.slug = $1 and b.season_ended_at is null
