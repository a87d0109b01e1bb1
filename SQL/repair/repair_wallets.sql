-- repair_wallets: makes the sums of wallets what ledgers and corrections say, and adds wallets that are missing.
-- tallies_lock has run in this transaction, so nobody posts or gives. It brings how many it changed.
with earned as (
  select player_id, sum(earned) as points from score group by player_id
), given as (
  select player_id, sum(points) as points from donation group by player_id
), corrected as (
  select player_id,
         coalesce(sum(points) filter (where kind in ('void', 'forfeit')), 0)
         - coalesce(sum(points) filter (where kind in ('unvoid', 'unforfeit')), 0) as voided,
         coalesce(sum(points) filter (where kind = 'hold'), 0)
         - coalesce(sum(points) filter (where kind = 'release'), 0) as held,
         coalesce(sum(points) filter (where kind = 'reverse'), 0)
         - coalesce(sum(points) filter (where kind = 'unreverse'), 0) as reversed
    from correction
   group by player_id
), put as (
  insert into wallet as w (player_id, earned, voided, held, given)
  select p.id, coalesce(e.points, 0), coalesce(c.voided, 0), coalesce(c.held, 0),
         coalesce(g.points, 0) - coalesce(c.reversed, 0)
    from player p
    left join earned e on e.player_id = p.id
    left join given g on g.player_id = p.id
    left join corrected c on c.player_id = p.id
   order by p.id
  on conflict (player_id) do update
     set earned = excluded.earned, voided = excluded.voided, held = excluded.held, given = excluded.given
   where (w.earned, w.voided, w.held, w.given)
         is distinct from (excluded.earned, excluded.voided, excluded.held, excluded.given)
  returning 1
)
select count(*) from put
