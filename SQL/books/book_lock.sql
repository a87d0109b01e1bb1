-- book_lock: lets nobody else close days until this transaction ends; false when somebody does so already.
-- A lock of the table would take the right to change the books, which nobody has.
-- returns Bool
select pg_try_advisory_xact_lock(1734964838, 2)
