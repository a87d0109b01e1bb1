-- book_find: what had been earned and given by the end of a closed day.
-- $1 date day
select b.day, b.earned, b.voided, b.held, b.given, b.unfunded, b.log_n, b.log_hash from book_day b where b.day = $1
