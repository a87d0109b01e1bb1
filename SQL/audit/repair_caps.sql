-- repair_caps: makes what was donated to charities that have a cap what the donations say, less what was reversed.
-- tallies_lock has run in this transaction.
-- $1 text charity: Slug? = nil, or null for all
-- returns Int64
with asked as materialized (
  select c.id from charity c where $1::text is null or c.slug = $1
), recomputed as materialized (
  select p.charity_id, p.day, p.points from asked a join charity_donated_recomputed p on p.charity_id = a.id
), gone as (
  delete from charity_donated g
   using asked a
   where g.charity_id = a.id
     and not exists (select from recomputed p where p.charity_id = g.charity_id and p.day = g.day)
  returning 1
), put as (
  insert into charity_donated (charity_id, day, points)
  select p.charity_id, p.day, p.points
    from recomputed p left join charity_donated g using (charity_id, day)
   where g.points is distinct from p.points
  on conflict (charity_id, day) do update set points = excluded.points
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
