-- caps_lock: lets nobody else donate to some charities that have a cap, nor take back or donate again what was donated
-- to them, until the transaction ends. Wallets are locked before, and charities' totals after it.
-- $1 int[] charities
-- returns Int32
select c.id from charity c where c.id = any($1::int[]) order by c.id for no key update
