-- book_span: the first and the last day that are closed, with every day between them; null when none is.
select min(b.day), max(b.day) from book_day b
