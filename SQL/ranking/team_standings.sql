-- team_standings: all teams by the points of their members on a board in a range of days, without hidden ones and those
-- of games without teams. Memory keeps them, and asks for what changes with team_tallies.
-- $1 int board: Board.ID   $2 date firstDay: Day   $3 date lastDay: Day   $4 bigint limitRows
-- returns TeamPoints(team, points, reachedAt, membersCount)
select w.team_id, w.points::bigint, w.reached_at, w.members
  from team_window_standing($1, $2, $3) w
  join team e on e.id = w.team_id
  join effective_game g on g.id = e.game_id and g.teams <> 'off'
 limit $4
