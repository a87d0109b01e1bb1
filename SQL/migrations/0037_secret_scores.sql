-- secret scores: a player's scores of whose hold it is not told are found by when that ends, without those of which it
-- has been told since, and its held ones without the voided ones. So whoever has had thousands of scores voided posts
-- as fast as others.
-- While the index is built, no score is held, cleared or voided: the table has the scores alone of which somebody has
-- to decide, or has decided. Posts that count, and all reads, go on.
-- compatible since: 29
create index held_score_secret_idx on held_score (player_id, secret_until) where secret_until is not null;

create or replace function own_standing(of_player bigint, of_board int, first_day date, last_day date, at timestamptz)
returns table (points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  with posts as (
    select s.points::numeric as points, s.reached_at
      from standing s
     where s.board_id = of_board and s.player_id = of_player and first_day is null
     union all
    select t.points, t.reached_at
      from tally t
     where t.board_id = of_board and t.player_id = of_player and t.day between first_day and last_day
     union all
    select c.points, c.reached_at
      from (-- Those of which somebody still has to decide, and those of which the owner is not told. Each is found by
            -- its own index before anything else of the player is looked at, which is what the offset is for.
            (select m.player_id, m.id
               from score_state m
              where m.player_id = any(members(of_player)) and m.state = 'held'
             offset 0)
             union all
            select h.player_id, h.id
              from (select x.player_id, x.id
                      from held_score x
                     where x.player_id = any(members(of_player)) and x.secret_until > at
                    offset 0) h
              join score_state m on m.player_id = h.player_id and m.id = h.id and m.state = 'voided') k
      join score c on c.player_id = k.player_id and c.id = k.id
      join board d on d.id = c.board_id
     where c.board_id = of_board
       and (first_day is null
            or coalesce(c.day, (c.reached_at at time zone d.zone)::date) between first_day and last_day)
  )
  select l.points, l.reached_at, l.points * -l.sign
    from (select greatest(-9223372036854775807, least(9223372036854775807, case b.policy
                   when 'sum' then sum(p.points)
                   when 'best' then max(p.points * b.sign) * b.sign
                   else (array_agg(p.points order by p.reached_at desc, p.points * b.sign desc))[1]
                 end)) as points,
                 case b.policy
                   when 'best' then (array_agg(p.reached_at order by p.points * b.sign desc, p.reached_at))[1]
                   else max(p.reached_at)
                 end as reached_at,
                 b.sign
            from posts p join board b on b.id = of_board
           group by b.policy, b.sign) l;
end;

create or replace function secret_points(of_player bigint, at timestamptz)
returns table (held numeric, voided numeric)
language sql stable parallel safe
begin atomic
  select coalesce(sum(s.earned) filter (where m.state = 'held'), 0),
         coalesce(sum(s.earned) filter (where m.state = 'voided'), 0)
    from (select x.player_id, x.id
            from held_score x
           where x.player_id = any(members(of_player)) and x.secret_until > at
          offset 0) h
    join score_state m on m.player_id = h.player_id and m.id = h.id
    join score s on s.player_id = h.player_id and s.id = h.id;
end;
