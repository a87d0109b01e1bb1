-- board_seasons: the newest seasons of a score board, newest first.
-- $1 text game: Slug   $2 text board: Slug   $3 int rows: Int32
-- returns number: Int32, endedAt: Instant?
select b.season, b.season_ended_at
  from board b join game g on g.id = b.game_id
 where b.kind = 'score' and g.slug = $1 and b.slug = $2
 order by b.season desc
 limit $3::int
