-- results_count: adds scores that count from now on to the player's standings and tallies. The wallet is locked.
-- $1 bigint player   $2 bigint[] whose row each score is   $3 uuid[] score
with counted as materialized (
  -- Each counts for the season, which has no day here, and for its day.
  select b.id as board_id, d.day, b.policy, b.sign, b.lowest_first, s.points::numeric as points, s.reached_at
    from unnest($2::bigint[], $3::uuid[]) v(player_id, id)
    join score s on s.player_id = v.player_id and s.id = v.id
    join board b on b.id = s.board_id
   cross join lateral (values (null::date), (s.day)) d(day)
), together as (
  select c.* from counted c
   union all
  select r.board_id, r.day, r.policy, r.sign, r.lowest_first, t.points, t.reached_at
    from (select distinct c.board_id, c.day, c.policy, c.sign, c.lowest_first from counted c) r
   cross join lateral (
           select s.points, s.reached_at
             from standing s
            where r.day is null and s.board_id = r.board_id and s.player_id = $1
            union all
           select x.points, x.reached_at
             from tally x
            where x.board_id = r.board_id and x.day = r.day and x.player_id = $1
         ) t
), results as materialized (
  select g.board_id, g.day, g.lowest_first,
         case g.policy
           when 'sum' then sum(g.points)
           when 'best' then max(g.points * g.sign) * g.sign
           else (array_agg(g.points order by g.reached_at desc, g.points * g.sign desc))[1]
         end as points,
         case g.policy
           when 'best' then (array_agg(g.reached_at order by g.points * g.sign desc, g.reached_at))[1]
           else max(g.reached_at)
         end as reached_at
    from together g
   group by g.board_id, g.day, g.policy, g.sign, g.lowest_first
), standings as (
  insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
  select r.board_id, $1, r.points, r.reached_at, r.lowest_first from results r where r.day is null
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at
   where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at)
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select r.board_id, r.day, $1, r.points, r.reached_at from results r where r.day is not null
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at)
