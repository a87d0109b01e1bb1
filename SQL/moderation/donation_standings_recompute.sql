-- donation_standings_recompute: makes the rows of all donation boards on which a player's donations count what these
-- say, and brings what each charity received more or less by that. The wallet is locked.
-- $1 bigint player   $2 timestamptz now
with owned as materialized (
  select array(select o.player_id from ledger_owner o where o.survivor_id = $1) as players
), recomputed as materialized (
  select g.board_id, coalesce(g.row_id, $1) as row_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from donation_board_row g
   where g.player_id = any((select o.players from owned o)::bigint[])
   group by g.board_id, coalesce(g.row_id, $1)
), kept as materialized (
  select s.board_id, s.player_id as row_id, s.points, s.reached_at
    from board b
    join standing s on s.board_id = b.id
                   and s.player_id = any($1 || array(
                         select d.row_id
                           from donation d
                          where d.player_id = any((select o.players from owned o)::bigint[])
                            and d.row_id is not null))
   where b.kind = 'donation'
), gone as (
  delete from standing s
   using kept k
   where s.board_id = k.board_id and s.player_id = k.row_id
     and not exists (select from recomputed p where p.board_id = k.board_id and p.row_id = k.row_id)
), put as (
  insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
  select p.board_id, p.row_id, p.points, p.reached_at, false from recomputed p
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at
   where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at)
)
select c.id, (coalesce(p.points, 0) - coalesce(k.points, 0))::numeric as points,
       (p.named is not null)::int::bigint - (k.named is not null)::int::bigint as contributors,
       case when p.named is not null then $2::timestamptz end as reached_at
  from charity c
 cross join lateral (select sum(points) as points, max(reached_at) filter (where row_id = $1) as named
                       from recomputed where board_id = c.board_id) p
 cross join lateral (select sum(points) as points, max(reached_at) filter (where row_id = $1) as named
                       from kept where board_id = c.board_id) k
 where (p.points, p.named) is distinct from (k.points, k.named)
 order by c.id
