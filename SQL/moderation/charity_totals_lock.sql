-- charity_totals_lock: locks all parts of what some charities received, so that the next statements see every donation
-- that is in them. Whoever donates adds to them in the same order, and last.
-- $1 int[] charities
-- returns Int32
select t.charity_id from charity_total t where t.charity_id = any($1::int[]) order by t.charity_id, t.part for update
