-- board_find: one season of a score board, and what day it is there.
-- $1 text game: Slug   $2 text board: Slug   $3 int season: Int32?, season, or null for the one played now
-- $4 timestamptz now
-- returns Board
select b.id, b.kind, b.slug, b.name, b.policy, b.lowest_first, b.ties, b.zone,
       b.opens_at, b.closes_at, b.season_ended_at, b.points_min, b.points_max, b.display, b.unit, b.details,
       case when g.teams <> 'off' then b.team_best end as team_best, g.team_rosters = 'public' as shows_rosters,
       b.country_best, g.flags, ($4::timestamptz at time zone b.zone)::date as today
  from board b join effective_game g on g.id = b.game_id
 where b.kind = 'score' and g.slug = $1 and b.slug = $2
   and case when $3::int is null then b.season_ended_at is null else b.season = $3 end
