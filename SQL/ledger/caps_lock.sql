-- caps_lock: lets nobody else give to some charities that have a cap, nor take back or give again what was given to
-- them, until the transaction ends. Wallets are locked before, and charities' totals after it.
-- $1 int[] charities
select c.id from charity c where c.id = any($1::int[]) order by c.id for no key update
