-- donation_standings_recompute: makes the rows of all donation boards on which a player's donations count what these
-- say, and brings what each charity received more or less by that. The wallet is locked.
-- Rows come in the order of the charities' ids.
-- $1 bigint player: Player.ID   $2 timestamptz now
-- returns CharityTotalsAdd.Total(charity, points, newContributors, reachedAt)
with owned as materialized (
  select array(select o.player_id from ledger_owner o where o.survivor_id = $1) as players
), recomputed as materialized (
  select l.board_id, l.player_id as row_id, l.points, l.reached_at
    from ledger_rollup(false, false, array[$1::bigint]) l
   where l.ledger = 'donation'
), kept as materialized (
  -- An anonymous donation has its row on two boards.
  select s.board_id, s.player_id as row_id, s.points, s.reached_at
    from (select b.id as board_id, $1 as row_id from board b where b.kind = 'donation'
           union
          select b.id, d.row_id
            from donation d
            join charity c on c.id = d.charity_id + 0
            join board b on b.id in (c.board_id,
                                     (select o.id from board o where o.kind = 'donation' and o.slug = 'overall'))
           where d.player_id = any((select o.players from owned o)::bigint[])
             and d.row_id is not null) r
   cross join lateral (
           select x.* from standing x where x.board_id = r.board_id and x.player_id = r.row_id offset 0
         ) s
), gone as (
  delete from standing s
   using (select k.board_id, k.row_id from kept k except select p.board_id, p.row_id from recomputed p) g
   where s.board_id = g.board_id and s.player_id = g.row_id
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
