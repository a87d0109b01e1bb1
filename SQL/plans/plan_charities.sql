-- plan_charities: whether some charities take donations, and how much, if they have a cap.
-- $1 int[] charities: [Int32]   $2 timestamptz now
-- returns PlanCharity
select c.id, c.slug, coalesce(c.opens_at <= $2, true) and coalesce(c.closes_at > $2, true) as is_open,
       case
         when coalesce(c.cap_day, c.cap_all) is not null
           then greatest(
                  0,
                  least(
                    c.cap_day - case
                      when c.cap_day is not null
                        then coalesce((select g.points
                                         from charity_donated g
                                        where g.charity_id = c.id and g.day = ($2 at time zone b.zone)::date),
                                      0)
                    end,
                    c.cap_all - case
                      when c.cap_all is not null
                        then coalesce((select sum(g.points) from charity_donated g where g.charity_id = c.id), 0)
                    end))::bigint
       end as room
  from charity c
  join board b on b.id = c.board_id
 where c.id = any($1::int[])
 order by c.id
