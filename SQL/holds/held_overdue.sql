-- held_overdue: scores of which their game has said nothing in time, the longest overdue first.
-- $1 timestamptz now   $2 int rows
select h.player_id, h.id from held_score h where h.judge_until <= $1 order by h.judge_until, h.item limit $2::int
