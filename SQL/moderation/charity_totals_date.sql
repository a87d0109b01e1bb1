-- charity_totals_date: sets when the newest funded donation by name to some charities arrived, and takes away the
-- totals of those that have no funded donation left. charity_totals_lock has run earlier in this transaction.
-- $1 int[] charities
-- returns nothing
with recomputed as materialized (
  select v.charity_id,
         (
           select d.reached_at
             from funded_donation d
            where d.charity_id = v.charity_id and not d.anonymous
            order by d.reached_at desc
            limit 1
         ) as reached_at,
         (
           select d.id
             from funded_donation d
            where d.charity_id = v.charity_id
            order by d.reached_at desc
            limit 1
         ) is not null as is_left
    from unnest($1::int[]) v(charity_id)
), gone as (
  delete from charity_total t using recomputed p where t.charity_id = p.charity_id and not p.is_left
)
update charity_total t
   set reached_at = p.reached_at
  from recomputed p
 where t.charity_id = p.charity_id and p.is_left
