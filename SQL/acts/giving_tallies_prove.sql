-- giving_tallies_prove: makes a player's rows of all days of giving boards what the donations say. The wallet is
-- locked.
-- $1 bigint player
with proof as materialized (
  select g.board_id, g.day, g.row_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from giving_ledger g
   where g.player_id = $1
   group by g.board_id, g.day, g.row_id
), given as (
  select distinct b.id as board_id,
         coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day
    from donation d
    join charity c on c.id = d.charity_id
    join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall')
   where d.player_id = $1
), gone as (
  delete from tally t
   using given g
   where t.board_id = g.board_id and t.day = g.day and t.player_id = any(array[$1, - $1])
     and not exists (
           select from proof p where p.board_id = g.board_id and p.day = g.day and p.row_id = t.player_id
         )
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select p.board_id, p.day, p.row_id, p.points, p.reached_at from proof p
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at)
