-- repair_donation_states: makes the donations that are not funded those that the corrections say. tallies_lock has run
-- in this transaction. It brings how many it changed.
with proof as materialized (
  select c.player_id, c.subject as id,
         coalesce(sum(case c.kind when 'reverse' then 1 when 'unreverse' then -1 end), 0) > 0 as reversed,
         coalesce(sum(case c.kind when 'unfund' then c.points when 'fund' then - c.points end), 0)::bigint as unfunded
    from correction c
   where c.kind in ('reverse', 'unreverse', 'unfund', 'fund')
   group by c.player_id, c.subject
), gone as (
  delete from donation_state m
   where not exists (
           select
             from proof p
            where p.player_id = m.player_id and p.id = m.id and (p.reversed or p.unfunded > 0)
         )
  returning 1
), put as (
  insert into donation_state as m (player_id, id, unfunded, reversed)
  select p.player_id, p.id, p.unfunded, p.reversed from proof p where p.reversed or p.unfunded > 0
  on conflict (player_id, id) do update set unfunded = excluded.unfunded, reversed = excluded.reversed
   where (m.unfunded, m.reversed) is distinct from (excluded.unfunded, excluded.reversed)
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
