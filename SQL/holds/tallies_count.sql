-- tallies_count: brings scores of a player that count from now on into the player's rows of their days. The wallet is
-- locked.
-- $1 bigint player   $2 bigint[] whose row each score is   $3 uuid[] score
with counted as materialized (
  select b.id as board_id, s.day, b.policy, b.sign, s.points::numeric as points, s.reached_at
    from unnest($2::bigint[], $3::uuid[]) v(player_id, id)
    join score s on s.player_id = v.player_id and s.id = v.id
    join board b on b.id = s.board_id
), together as (
  select c.* from counted c
   union all
  select d.board_id, d.day, d.policy, d.sign, t.points, t.reached_at
    from (select distinct c.board_id, c.day, c.policy, c.sign from counted c) d
    join tally t on t.board_id = d.board_id and t.day = d.day and t.player_id = $1
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select g.board_id, g.day, $1,
       case g.policy
         when 'sum' then sum(g.points)
         when 'best' then max(g.points * g.sign) * g.sign
         else (array_agg(g.points order by g.reached_at desc, g.points * g.sign desc))[1]
       end,
       case g.policy
         when 'best' then (array_agg(g.reached_at order by g.points * g.sign desc, g.reached_at))[1]
         else max(g.reached_at)
       end
  from together g
 group by g.board_id, g.day, g.policy, g.sign
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at)
