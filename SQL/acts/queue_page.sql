-- queue_page: what waits for a decision, the oldest first. What reporters wrote is there for those who may read it.
-- $1 text kind, or null for all   $2 timestamptz the instant before the first   $3 uuid the item at that instant
-- $4 int rows, at least 1   $5 bool whether words are shown
select q.item, q.kind, q.player_id, q.score_id, q.why, q.at, q.times, case when $5::bool then q.words end
  from queue_item q
 where ($1::text is null or q.kind = $1) and (q.at, q.item) > ($2, $3)
 order by q.at, q.item
 limit $4::int
