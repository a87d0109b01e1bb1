-- audit_wallets: every wallet's sums, added up again from the ledgers and the corrections; also players without a
-- wallet, and wallets without a player.
-- returns AuditedRows(compared, differing, example)
with compared as (
  select player_id,
         (w.earned::numeric, w.voided::numeric, w.held::numeric, w.donated::numeric, w.merged, w.merges, w.holds)
         is distinct from (p.earned, p.voided, p.held, p.donated, p.merged, p.merges, p.holds) as differs
    from wallet w full join wallet_recomputed p using (player_id)
)
select count(*),
       count(*) filter (where differs),
       'player ' || min(player_id) filter (where differs)
  from compared
