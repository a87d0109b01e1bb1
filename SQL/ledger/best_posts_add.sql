-- best_posts_add: stores scores that count from now on if they are among their player's ten best, and removes those
-- that they displace, on boards that keep best posts. The wallets are locked.
-- $1 bigint[] whose row each score is   $2 uuid[] score
with new as materialized (
  select s.player_id, s.board_id, s.id, s.points, s.reached_at, b.sign
    from unnest($1::bigint[], $2::uuid[]) v(player_id, id)
    join score s on s.player_id = v.player_id and s.id = v.id
    join board b on b.id = s.board_id
    join game g on g.id = b.game_id
   where keeps_best_posts(g.slug, b.slug)
), ranked as materialized (
  select x.player_id, x.board_id, x.id, x.points, x.reached_at, x.is_new,
         row_number() over (partition by x.player_id, x.board_id
                            order by x.points * x.sign desc, x.reached_at, x.id) as n
    from (select n.player_id, n.board_id, n.id, n.points, n.reached_at, n.sign, true as is_new from new n
           union all
          select p.player_id, p.board_id, p.id, p.points, p.reached_at, o.sign, false
            from (select distinct n.player_id, n.board_id, n.sign from new n) o
            join best_post p on p.player_id = o.player_id and p.board_id = o.board_id) x
), gone as (
  delete from best_post p
   using ranked r
   where r.n > 10 and not r.is_new and p.player_id = r.player_id and p.board_id = r.board_id and p.id = r.id
)
insert into best_post (player_id, board_id, id, points, reached_at)
select r.player_id, r.board_id, r.id, r.points, r.reached_at from ranked r where r.n <= 10 and r.is_new
on conflict on constraint best_post_pkey do nothing
