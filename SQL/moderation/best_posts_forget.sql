-- best_posts_forget: forgets which posts of a player, and of players merged with it, are the best, because a score
-- counts that did not, or no longer counts; and tells those who follow the changes. The wallet is locked.
-- $1 bigint player   $2 text the marker of such a change
with forgotten as (
  delete from best_posts k where k.player_id = any(members($1))
)
select pg_logical_emit_message(true, 'causeboard', $2::text)::text
