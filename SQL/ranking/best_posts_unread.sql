-- best_posts_unread: those of a board's best players who have more posts than $3 since their best posts were noted.
-- $1 int board: Board.ID   $2 int players   $3 int posts   $4 timestamptz until, only posts before this time count
-- returns Player.ID
select best.player_id
  from (select s.player_id
          from standing s
         cross join lateral (select from player q where q.id = s.player_id and not q.hidden limit 1) p
         where s.board_id = $1
         order by s.order_bucket, s.order_key, s.reached_at, s.player_id
         limit $2::int) best
 where exists (
         select
           from unnest(members(best.player_id)) m(player_id)
           left join lateral (
                  select k.until from best_posts k where k.player_id = m.player_id and k.board_id = $1 limit 1
                ) k on true
          cross join lateral (
                  select
                    from score s
                   where s.player_id = m.player_id and s.reached_at >= coalesce(k.until, '-infinity')
                     and s.reached_at < $4
                  offset $3::int
                   limit 1
                ) more)
