-- best_posts_forget: forgets which posts of a player, and of players merged with it, are the best, because a score
-- counts that did not, or no longer counts. The wallet is locked.
-- $1 bigint player
delete from best_posts k where k.player_id = any(members($1))
