-- players_named: players of a game with this name, in any case, who stand on a board, best first; hidden and
-- unlisted ones are not there. Of a name that more than a thousand share only a thousand are looked at.
-- $1 text game: Slug   $2 text name   $3 int board: Board.ID   $4 int limitRows
-- returns Player.ID
select n.id
  from (select p.id
          from player p join game g on g.id = p.game_id
         where g.slug = $1 and lower(p.name) = lower($2) and not p.hidden and not p.unlisted
         limit 1000) n
  join standing s on s.board_id = $3 and s.player_id = n.id
 order by s.order_key, s.reached_at, s.player_id
 limit $4::int
