-- donation_tallies_recompute: makes the rows of all days of donation boards on which a player's donations count what
-- these say. The wallet is locked. Adding 0 keeps the planner from reading all donations of each charity.
-- $1 bigint player: Player.ID   $2 bigint[] daysOf: [Player.ID], players on whose days, too, the player may have rows
-- returns nothing
with owned as materialized (
  select array(select o.player_id from ledger_owner o where o.survivor_id = $1) as players
), recomputed as materialized (
  select l.board_id, l.day, l.player_id as row_id, l.points, l.reached_at
    from ledger_rollup(true, false, array[$1::bigint]) l
   where l.ledger = 'donation'
), donated as (
  select b.id as board_id,
         case when b.id = c.board_id then d.day else (d.reached_at at time zone b.zone)::date end as day, r.row_id
    from donation d
    join charity c on c.id = d.charity_id + 0
    join board b on b.id in (c.board_id, (select o.id from board o where o.kind = 'donation' and o.slug = 'overall'))
   cross join owned o
   cross join lateral (select $1 as row_id union all select d.row_id where d.player_id = any(o.players)) r
   where d.player_id = any(members($1) || $2::bigint[])
), gone as (
  delete from tally t
   using (select d.board_id, d.day, d.row_id from donated d
          except
          select p.board_id, p.day, p.row_id from recomputed p) g
   where t.board_id = g.board_id and t.day = g.day and t.player_id = g.row_id
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select p.board_id, p.day, p.row_id, p.points, p.reached_at from recomputed p
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at)
