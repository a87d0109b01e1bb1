-- log_words_erase: erases the words of the log's entries about actions on some players. The entries keep their hashes.
-- $1 bigint[] players: [Player.ID]
-- returns nothing
delete from log_words w using moderation_action a where a.player_id = any($1::bigint[]) and w.n = a.n
