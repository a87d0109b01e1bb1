-- award_seasons_on: the awards for ranks on some boards whose season is over.
-- $1 int[] boards: [Board.ID]
-- returns award: Award.ID, board: Board.ID
select a.id, b.id
  from board b
  join award a on a.game_id = b.game_id and a.rule = 'rank' and a.board_slug = b.slug
              and b.season = coalesce(a.season, b.season)
 where b.id = any($1::int[]) and b.kind = 'score' and b.season_ended_at is not null
