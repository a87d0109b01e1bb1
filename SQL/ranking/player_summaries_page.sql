-- player_summaries_page: what rankings show of players beside their points, player by player in the order of their ids.
-- $1 bigint after: Player.ID, the player before the first   $2 int rows
-- returns PlayerSummary
select p.id, p.name, p.avatar, p.flag from shown_player p where p.id > $1::bigint order by p.id limit $2::int
