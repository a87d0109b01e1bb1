-- past_move: moves rows of players from before a time to the past ledgers, the oldest of each first. Their wallets are
-- locked.
-- $1 bigint[] players: [Player.ID]   $2 timestamptz before   $3 int = Limits.pastRows, rows of each ledger at most
-- returns scores: Int64, donations: Int64
select past_scores_move($1::bigint[], $2::timestamptz, $3::int),
       past_donations_move($1::bigint[], $2::timestamptz, $3::int)
