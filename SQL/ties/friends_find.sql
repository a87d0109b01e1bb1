-- friends_find: the friends of a player, by id. Of more than are shown, which only a merge makes, the newest.
-- $1 bigint player: Player.ID   $2 bigint = Limits.friendsMax, rows
-- returns Player.ID
select f.player_id from friends_of($1, $2) f order by f.player_id
