-- caps_add: adds donations to what was donated to charities that have a cap. caps_lock has run earlier in this
-- transaction.
-- $1 int[] charity   $2 date[] day of its board   $3 numeric[] points
insert into charity_donated as g (charity_id, day, points)
select v.charity_id, v.day, sum(v.points)
  from unnest($1::int[], $2::date[], $3::numeric[]) v(charity_id, day, points)
 group by v.charity_id, v.day
on conflict (charity_id, day) do update set points = g.points + excluded.points
