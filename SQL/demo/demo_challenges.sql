-- demo_challenges: adds challenges of the demo. The loader settles those that are over.
-- $1 uuid[] ids   $2 bigint[] makers   $3 int[] boards   $4 date[] firstDays   $5 date[] lastDays   $6 bigint[] stakes
-- $7 timestamptz[] madeAt
-- returns nothing
insert into challenge (id, made_by, board_id, first_day, last_day, stake, made_at)
select v.id, v.made_by, v.board_id, v.first_day, v.last_day, v.stake, v.made_at
  from unnest($1::uuid[], $2::bigint[], $3::int[], $4::date[], $5::date[], $6::bigint[], $7::timestamptz[])
         v (id, made_by, board_id, first_day, last_day, stake, made_at)
