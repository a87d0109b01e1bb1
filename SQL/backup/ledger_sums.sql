-- ledger_sums: rows and sums of the ledgers and of what stands beside them, to compare a copy with, by subject.
-- What was counted, its rows, and a sum in decimal digits, because totals may pass 64 bits; the one of the log is the
-- number of its newest entry. PostgreSQL may run the parts in parallel, so they need an order.
-- returns LedgerSum
select s.subject, s.rows, s.points
  from (
    select 'scores', count(*), coalesce(sum(points), 0)::text from score
     union all
    select 'donations', count(*), coalesce(sum(points), 0)::text from donation
     union all
    select 'wallets', count(*), coalesce(sum(earned::numeric - donated), 0)::text from wallet
     union all
    select 'players', count(*), '0' from player
     union all
    select 'corrections', count(*), coalesce(sum(points), 0)::text from correction
     union all
    select 'entries of the log', count(*), coalesce(max(n), 0)::text from log_entry
     union all
    select 'erasures', count(*), '0' from erasure
  ) s(subject, rows, points)
 order by s.subject
