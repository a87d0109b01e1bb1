-- standings_count: brings scores of a player that count from now on into the player's rows of their boards. The wallet
-- is locked.
-- $1 bigint player   $2 bigint[] whose row each score is   $3 uuid[] score
with counted as materialized (
  select b.id as board_id, b.policy, b.sign, b.lowest_first, s.points::numeric as points, s.reached_at
    from unnest($2::bigint[], $3::uuid[]) v(player_id, id)
    join score s on s.player_id = v.player_id and s.id = v.id
    join board b on b.id = s.board_id
), together as (
  select c.* from counted c
   union all
  select b.id, b.policy, b.sign, b.lowest_first, t.points::numeric, t.reached_at
    from board b
    join standing t on t.board_id = b.id and t.player_id = $1
   where b.id in (select c.board_id from counted c)
)
insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
select t.board_id, $1,
       case t.policy
         when 'sum' then sum(t.points)
         when 'best' then max(t.points * t.sign) * t.sign
         else (array_agg(t.points order by t.reached_at desc, t.points * t.sign desc))[1]
       end,
       case t.policy
         when 'best' then (array_agg(t.reached_at order by t.points * t.sign desc, t.reached_at))[1]
         else max(t.reached_at)
       end,
       t.lowest_first
  from together t
 group by t.board_id, t.policy, t.sign, t.lowest_first
on conflict (board_id, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at)
