-- repair_score_states: makes the scores that do not count those that the corrections say. tallies_lock has run in this
-- transaction. It brings how many it changed.
with proof as materialized (
  select c.player_id, c.subject as id,
         case
           when coalesce(sum(case c.kind when 'void' then 1 when 'unvoid' then -1 end), 0) > 0 then 'voided'
           when coalesce(sum(case c.kind when 'hold' then 1 when 'release' then -1 end), 0) > 0 then 'held'
         end as state
    from correction c
   where c.kind in ('void', 'unvoid', 'hold', 'release')
   group by c.player_id, c.subject
), gone as (
  delete from score_state m
   where not exists (select from proof p where p.player_id = m.player_id and p.id = m.id and p.state is not null)
  returning 1
), put as (
  insert into score_state as m (player_id, id, state)
  select p.player_id, p.id, p.state from proof p where p.state is not null
  on conflict (player_id, id) do update set state = excluded.state where m.state <> excluded.state
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
