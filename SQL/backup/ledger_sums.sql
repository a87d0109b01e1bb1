-- ledger_sums: rows and sums of the ledgers and of what every schema has beside them, to compare a copy with.
-- What was counted, its rows, and their points in decimal digits, because totals may pass 64 bits.
select 'scores', count(*), coalesce(sum(points), 0)::text from score
 union all
select 'donations', count(*), coalesce(sum(points), 0)::text from donation
 union all
select 'wallets', count(*), coalesce(sum(earned::numeric - given), 0)::text from wallet
 union all
select 'players', count(*), '0' from player
