-- one_donation.sql: what a donation of one point is to PostgreSQL when nobody is clever, as in one.sql: the wallet, if
-- that much is in it, a row of the ledger, and the day and the sum on the charity's board and on the board of
-- contributors. :clients   :each players of a client   :charity id   :charity_board id   :overall_board id
\set n 1 + :client_id + :clients * random(0, :each - 1)
with wallet_update as (
  update plain_wallet w set donated = w.donated + 1
    from bench_poster b
   where b.n = :n and w.player_id = b.player_id and w.earned - w.voided - w.held - w.donated >= 1
  returning w.player_id, w.earned - w.voided - w.held - w.donated as unspent
), ledger as (
  insert into plain_donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at,
                              day)
  select player_id, gen_random_uuid(), :charity, 1, false, false, now(), now(),
         (now() at time zone 'UTC')::date
    from wallet_update
), tally_update as (
  insert into plain_tally as t (board_id, day, player_id, points, reached_at)
  select b.id, current_date, u.player_id, 1, now()
    from wallet_update u cross join (values (:charity_board::int), (:overall_board::int)) b(id)
  on conflict (board_id, day, player_id) do update
     set points = t.points + 1, reached_at = excluded.reached_at
), standing_update as (
  insert into plain_standing as s (board_id, player_id, points, reached_at, lowest_first)
  select b.id, u.player_id, 1, now(), false
    from wallet_update u cross join (values (:charity_board::int), (:overall_board::int)) b(id)
  on conflict (board_id, player_id) do update
     set points = s.points + 1, reached_at = excluded.reached_at
)
select unspent from wallet_update;
