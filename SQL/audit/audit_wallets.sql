-- audit_wallets: earned and given, added up again from both ledgers, against every wallet; also ledger rows of nobody. Rows compared, rows that differ, one of them.
with earned as (
  select player_id, sum(earned) as points from score group by player_id
), given as (
  select player_id, sum(points) as points from donation group by player_id
), compared as (
  select coalesce(w.player_id, e.player_id, g.player_id) as player_id,
         (w.earned::numeric, w.given::numeric) is distinct from (coalesce(e.points, 0), coalesce(g.points, 0)) as differs
    from wallet w full join earned e using (player_id) full join given g on g.player_id = coalesce(w.player_id, e.player_id)
)
select count(*), count(*) filter (where differs), 'player ' || min(player_id) filter (where differs) from compared
