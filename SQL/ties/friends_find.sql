-- friends_find: the friends of a player, by id. If a merge has made more than the limit, the newest ones.
-- $1 bigint player: Player.ID   $2 bigint = Limits.friendsMax, rows
-- returns Player.ID
select f.player_id from friends_of($1, $2) f order by f.player_id
