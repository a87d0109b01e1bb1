-- charity_totals_date: sets when the newest funded donation of some charities arrived, and takes away the totals of
-- those that have none left. charity_totals_lock has run earlier in this transaction.
-- $1 int[] charities
with proof as materialized (
  select v.charity_id,
         (
           select d.reached_at
             from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
            where d.charity_id = v.charity_id
              and not coalesce(m.reversed, false)
              and d.points > coalesce(m.unfunded, 0)
            order by d.reached_at desc
            limit 1
         ) as reached_at
    from unnest($1::int[]) v(charity_id)
), gone as (
  delete from charity_total t using proof p where t.charity_id = p.charity_id and p.reached_at is null
)
update charity_total t
   set reached_at = p.reached_at
  from proof p
 where t.charity_id = p.charity_id and p.reached_at is not null
