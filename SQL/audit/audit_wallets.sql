-- audit_wallets: every wallet's sums, added up again from both ledgers; also ledger rows and players without a wallet.
-- Nothing voids or holds points yet. Rows compared, rows that differ, one of them.
with earned as (
  select player_id, sum(earned) as points from score group by player_id
), given as (
  select player_id, sum(points) as points from donation group by player_id
), compared as (
  select coalesce(w.player_id, e.player_id, g.player_id, p.id) as player_id,
         (w.earned::numeric, w.voided, w.held, w.given::numeric)
         is distinct from (coalesce(e.points, 0), 0::bigint, 0::bigint, coalesce(g.points, 0)) as differs
    from wallet w
    full join earned e using (player_id)
    full join given g on g.player_id = coalesce(w.player_id, e.player_id)
    full join player p on p.id = coalesce(w.player_id, e.player_id, g.player_id)
)
select count(*),
       count(*) filter (where differs),
       'player ' || min(player_id) filter (where differs)
  from compared
