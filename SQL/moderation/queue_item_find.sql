-- queue_item_find: what waits under an item: its kind, its player or team, the score if it is one, and since when.
-- $1 uuid item
-- returns kind: QueueItem.Kind, player: Player.ID?, team: Team.ID?, score: UUID?, at: Instant
select q.kind, q.player_id, q.team_id, q.score_id, q.at from queue_item q where q.item = $1
