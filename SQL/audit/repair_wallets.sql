-- repair_wallets: makes the sums of wallets what ledgers and corrections say, and adds wallets that are missing.
-- tallies_lock has run in this transaction, so nobody posts or gives. It brings how many it changed.
with put as (
  insert into wallet as w (player_id, earned, voided, held, given, merged, merges, holds)
  select p.player_id, p.earned, p.voided, p.held, p.given, p.merged, p.merges, p.holds
    from wallet_proof p order by p.player_id
  on conflict (player_id) do update
     set earned = excluded.earned, voided = excluded.voided, held = excluded.held, given = excluded.given,
         merged = excluded.merged, merges = excluded.merges, holds = excluded.holds
   where (w.earned, w.voided, w.held, w.given, w.merged, w.merges, w.holds)
         is distinct from (excluded.earned, excluded.voided, excluded.held, excluded.given, excluded.merged,
                           excluded.merges, excluded.holds)
  returning 1
)
select count(*) from put
