-- book_find: what had been earned and donated by the end of a closed day.
-- $1 date day
-- returns DayBooks
select b.day, b.earned, b.voided, b.held, b.donated, b.unfunded, b.log_n, b.log_hash from book_day b where b.day = $1
