-- window line: what each player made of a range of days on a board, by GROUP BY over the days; every statement about a window begins with it.
-- A best was reached when it was first posted, a sum when its last point came, a latest when it came. Totals may pass 64 bits, so they are numeric.
create function window_line_with_hidden(of_board integer, first_day date, last_day date)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe as $$
  select l.player_id, l.points, l.reached_at, l.points * -l.sign
    from (select t.player_id, b.sign,
                 case b.policy when 'sum' then sum(t.points)
                               when 'best' then (max(t.points * b.sign) * b.sign)::numeric
                               else ((array_agg(t.points order by t.reached_at desc) filter (where b.policy = 'latest'))[1])::numeric end as points,
                 case b.policy when 'best' then (array_agg(t.reached_at order by t.points * b.sign desc, t.reached_at) filter (where b.policy = 'best'))[1]
                               else max(t.reached_at) end as reached_at
            from tally t join board b on b.id = t.board_id
           where t.board_id = of_board and t.day between first_day and last_day
           group by t.player_id, b.policy, b.sign) l
$$;

create function window_line(of_board integer, first_day date, last_day date)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe as $$
  select l.player_id, l.points, l.reached_at, l.order_key
    from window_line_with_hidden(of_board, first_day, last_day) l
   where not exists (select from player h where h.hidden and h.id = abs(l.player_id))
$$;
