-- repair_donation_states: makes the donations that are not funded those that the corrections say. tallies_lock has run
-- in this transaction.
-- returns Int64
with recomputed as materialized (
  select p.player_id, p.id, p.reversals > 0 as reversed, p.unfunded
    from correction_recomputed p
   where p.reversals > 0 or p.unfunded > 0
), gone as (
  delete from donation_state m
   where not exists (select from recomputed p where p.player_id = m.player_id and p.id = m.id)
  returning 1
), put as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select p.player_id, p.id, p.unfunded, p.reversed
    from recomputed p left join donation_state m using (player_id, id)
   where (m.unfunded, m.reversed) is distinct from (p.unfunded, p.reversed)
  on conflict (player_id, id) do update set unfunded = excluded.unfunded, reversed = excluded.reversed
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
