-- player_summaries: what rankings show of some players beside their points.
-- $1 bigint[] players: [Player.ID]
-- returns PlayerSummary
select p.id, p.name, p.avatar, p.flag from shown_player p where p.id = any($1::bigint[])
