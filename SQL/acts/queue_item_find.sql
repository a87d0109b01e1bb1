-- queue_item_find: what waits under an item: its kind, its player, and the score if it is one.
-- $1 uuid item
select q.kind, q.player_id, q.score_id from queue_item q where q.item = $1
