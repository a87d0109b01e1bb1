-- repair_score_states: makes the scores that do not count those that the corrections say. One that is held for no known
-- reason waits for an operator. tallies_lock has run in this transaction.
-- returns Int64
with recomputed as materialized (
  select p.player_id, p.id, case when p.voids > 0 then 'voided' else 'held' end as state
    from correction_recomputed p
   where p.voids > 0 or p.holds > 0
), gone as (
  delete from score_state m
   where not exists (select from recomputed p where p.player_id = m.player_id and p.id = m.id)
  returning 1
), put as (
  insert into score_state (player_id, id, state)
  select p.player_id, p.id, p.state
    from recomputed p left join score_state m using (player_id, id)
   where m.state is distinct from p.state
  on conflict (player_id, id) do update set state = excluded.state
  returning 1
), explained as (
  insert into held_score (player_id, id, item, why, held_at, game_id, secret_until)
  select p.player_id, p.id, gen_random_uuid(), '{operator}', now(), b.game_id, s.reached_at + settle_time(b)
    from recomputed p
    join score s on s.player_id = p.player_id and s.id = p.id
    join board b on b.id = s.board_id
   where p.state = 'held'
  on conflict (player_id, id) do nothing
  returning 1
)
select (select count(*) from gone) + (select count(*) from put) + (select count(*) from explained)
