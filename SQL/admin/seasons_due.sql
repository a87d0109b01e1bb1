-- seasons_due: the boards whose next season is to begin, because its day has begun in their zone. Boards that have
-- closed or not opened keep their season.
-- $1 timestamptz now   $2 int = Limits.seasonsAtOnce, rows
-- returns DueSeason(board, game, slug, season)
select b.id, g.slug, b.slug, b.season
  from board b
  join game g on g.id = b.game_id
 where b.season_ended_at is null and b.next_season_on <= ($1::timestamptz at time zone b.zone)::date
   -- No zone is further ahead of UTC than this, so the index finds them.
   and b.next_season_on <= (($1 + interval '1 day') at time zone 'UTC')::date
   and (b.opens_at <= $1) is not false and (b.closes_at > $1) is not false
 order by b.id
 limit $2::int
