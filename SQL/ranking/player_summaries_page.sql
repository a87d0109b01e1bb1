-- player_summaries_page: as player_faces, of players by their ids.
-- $1 bigint the player before the first   $2 int rows
select p.id, p.name, p.avatar from player p where p.id > $1::bigint order by p.id limit $2::int
