-- past_move: moves rows of players from before a time to the past ledgers, the oldest of each first. Their wallets are
-- locked.
-- $1 bigint[] players   $2 timestamptz before when   $3 int rows of each ledger at most
select past_scores_move($1::bigint[], $2::timestamptz, $3::int),
       past_donations_move($1::bigint[], $2::timestamptz, $3::int)
