-- demo_hold_books: waits until nobody closes days of the books, and lets nobody do so until this transaction ends.
-- returns String
select pg_advisory_xact_lock(1734964838, 2)::text
