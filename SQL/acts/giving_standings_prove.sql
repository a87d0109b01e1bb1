-- giving_standings_prove: makes a player's rows of all giving boards what the donations say, and brings what each
-- charity received more or less by that. The wallet is locked.
-- $1 bigint player   $2 timestamptz now
with proof as materialized (
  select g.board_id, g.row_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from giving_ledger g
   where g.player_id = $1
   group by g.board_id, g.row_id
), kept as materialized (
  select s.board_id, s.player_id as row_id, s.points, s.reached_at
    from board b join standing s on s.board_id = b.id and s.player_id = any(array[$1, - $1])
   where b.kind = 'giving'
), gone as (
  delete from standing s
   using kept k
   where s.board_id = k.board_id and s.player_id = k.row_id
     and not exists (select from proof p where p.board_id = k.board_id and p.row_id = k.row_id)
), put as (
  insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
  select p.board_id, p.row_id, p.points, p.reached_at, false from proof p
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at
   where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at)
)
select c.id, (coalesce(p.points, 0) - coalesce(k.points, 0))::numeric as points,
       (p.points is not null)::int::bigint - (k.points is not null)::int::bigint as contributors,
       $2::timestamptz as reached_at
  from charity c
 cross join lateral (select sum(points) as points, max(reached_at) as reached_at
                       from proof where board_id = c.board_id) p
 cross join lateral (select sum(points) as points, max(reached_at) as reached_at
                       from kept where board_id = c.board_id) k
 where (p.points, p.reached_at) is distinct from (k.points, k.reached_at)
 order by c.id
