-- award_seasons_page: all awards for ranks, each with each season that is over, in order, after one of them.
-- $1 int award: Award.ID   $2 int board: Board.ID   $3 int limitRows
-- returns award: Award.ID, board: Board.ID
select a.id, b.id
  from award a
  join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
              and b.season = coalesce(a.season, b.season) and b.season_ended_at is not null
 where a.rule = 'rank' and (a.id, b.id) > ($1::int, $2::int)
 order by a.id, b.id
 limit $3::int
