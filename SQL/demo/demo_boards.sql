-- demo_boards: the score boards that are played now, each with the game it belongs to.
-- returns gameSlug: String, slug: String, game: Game.ID, board: Board.ID
select g.slug, b.slug, g.id, b.id
  from board b join game g on g.id = b.game_id
 where b.kind = 'score' and b.season_ended_at is null
 order by b.id
