-- score_details: the details that came with the scores behind some rows of a board. The policy of the board is not sum,
-- so one score of the player, or of one merged into it, was posted when the row was reached and has its points.
-- A row without such a score is missing from the result. A score that is held or voided is none, but the asking
-- player's own row stands where its held scores count.
-- `offset 0` finds the score by its time, however many the player has. The limits make the planner look up each row.
-- $1 int board   $2 bigint[] players   $3 bigint[] points of the rows   $4 timestamptz[] when they were reached
-- $5 bigint the asking player, or null
select r.player_id, (select n.detail from score_note n where n.player_id = f.player_id and n.id = f.id limit 1)
  from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) r(player_id, points, reached_at)
 cross join lateral (
         select s.player_id, s.id
           from (select x.player_id, x.id
                   from score x
                  where x.player_id = any(members(r.player_id)) and x.reached_at = r.reached_at
                    and x.board_id = $1 and x.points = r.points
                 offset 0) s
          where r.player_id = $5::bigint
             or (select m.id from score_state m where m.player_id = s.player_id and m.id = s.id limit 1) is null
          order by s.player_id, s.id
          limit 1
       ) f
