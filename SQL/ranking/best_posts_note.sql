-- best_posts_note: notes which ten posts of a player, and of each player merged with it, are the best on a board. The
-- wallet is locked, so that no post changes its state meanwhile.
-- $1 bigint player   $2 int board   $3 timestamptz until; every post that reached its points before it is committed
insert into best_posts (player_id, board_id, until, ids)
select m.player_id, b.id, $3::timestamptz, coalesce(l.ids, '{}')
  from unnest(members($1)) m(player_id)
  join board b on b.id = $2
  left join lateral (
         select array_agg(t.id order by t.points * b.sign desc, t.reached_at, t.id) as ids
           from (select s.id, s.points, s.reached_at
                   from counted_score s
                  where s.player_id = m.player_id and s.board_id = $2 and s.reached_at < $3
                  order by s.points * b.sign desc, s.reached_at, s.id
                  limit 10) t
       ) l on true
on conflict on constraint best_posts_pkey do update set until = excluded.until, ids = excluded.ids
