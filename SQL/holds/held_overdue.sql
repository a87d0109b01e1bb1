-- held_overdue: scores of which their game has said nothing in time, the longest overdue first.
-- $1 timestamptz now   $2 timestamptz the instant before the first   $3 uuid the item at that instant   $4 int rows
select h.player_id, h.id, h.judge_until, h.item
  from held_score h
 where h.judge_until <= $1 and (h.judge_until, h.item) > ($2, $3)
 order by h.judge_until, h.item
 limit $4::int
