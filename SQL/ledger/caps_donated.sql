-- caps_donated: what was donated on a day, and in all, to charities that have a cap, less what was reversed, and when
-- that day's next one begins. caps_lock has run earlier in this transaction.
-- $1 int[] charities, any of them more than once   $2 date[] day of each one's board
select v.charity_id, v.day, coalesce(sum(g.points) filter (where g.day = v.day), 0) as donated_day,
       coalesce(sum(g.points), 0) as donated_all,
       (v.day + 1)::timestamp at time zone b.zone as next_day_begins_at
  from (select distinct x.charity_id, x.day from unnest($1::int[], $2::date[]) x(charity_id, day)) v
  join charity c on c.id = v.charity_id
  join board b on b.id = c.board_id
  left join charity_donated g on g.charity_id = v.charity_id
 group by v.charity_id, v.day, b.zone
