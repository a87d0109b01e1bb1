-- one.sql: what a post is to PostgreSQL when nobody is clever: a row of the ledger, the wallet, the day's best and the
-- best, for one random player, in one statement and one commit. No token is looked up, nothing is judged, no rank is
-- told: this is the floor that the server's posts are measured from. plain.sql makes its tables.
-- Each client has players of its own, so none waits for another's lock; each post is better than its player's last one,
-- so every one writes everything.
-- :clients   :each players of a client   :board id   :turn more than any run before has added
-- :often_percent of the posts fall to the first :few players of a client, the others to anybody
\set turn :turn + 1
\set among case when random(1, 100) <= :often_percent then :few else :each end
\set n 1 + :client_id + :clients * random(0, :among - 1)
with post as (
  select b.player_id, b.points + :turn as points from bench_poster b where b.n = :n
), ledger as (
  insert into plain_score (player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at,
                           day)
  select player_id, gen_random_uuid(), :board, points, points, true, false, now(), now(), current_date from post
), tally_update as (
  insert into plain_tally (board_id, day, player_id, points, reached_at)
  select :board, current_date, player_id, points, now() from post
  on conflict (board_id, day, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at where plain_tally.points < excluded.points
), standing_update as (
  insert into plain_standing (board_id, player_id, points, reached_at, lowest_first)
  select :board, player_id, points, now(), false from post
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at where plain_standing.points < excluded.points
)
update plain_wallet w set earned = w.earned + p.points from post p where w.player_id = p.player_id
returning w.earned - w.voided - w.held - w.donated as unspent;
