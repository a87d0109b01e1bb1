-- players_erased_among: which of some players were erased. wallets_lock has run in this transaction, and an erasure
-- holds the same lock, so this statement sees each one that came before.
-- $1 bigint[] players
select e.player_id from erasure e where e.player_id = any($1::bigint[])
