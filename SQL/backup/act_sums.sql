-- act_sums: rows and sums of what the acts of operators have made, to compare a copy with.
-- What was counted, its rows, and a sum in decimal digits; the one of the log is the number of its newest entry.
select 'corrections', count(*), coalesce(sum(points), 0)::text from correction
 union all
select 'entries of the log', count(*), coalesce(max(n), 0)::text from log_entry
 union all
select 'erasures', count(*), '0' from erasure
