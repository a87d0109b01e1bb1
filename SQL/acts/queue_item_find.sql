-- queue_item_find: what waits under an item: its kind and its player.
-- $1 uuid item
select q.kind, q.player_id from queue_item q where q.item = $1
