-- tallies_recompute: makes a player's rows of all days of score boards what the ledger says. The wallet is locked.
-- $1 bigint player: Player.ID   $2 bigint[] daysOf: [Player.ID], players on whose days, too, the player may have rows
-- returns nothing
with recomputed as materialized (
  select l.board_id, l.day, l.points, l.reached_at
    from ledger_rollup(true, false, array[$1::bigint]) l
   where l.ledger = 'score'
), gone as (
  delete from tally t
   using (select s.board_id, s.day
            from score s
           where s.player_id = any(members($1) || $2::bigint[])
          except
          select p.board_id, p.day from recomputed p) g
   where t.board_id = g.board_id and t.day = g.day and t.player_id = $1
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select p.board_id, p.day, $1, p.points, p.reached_at from recomputed p
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at)
