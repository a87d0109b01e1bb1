-- plain names: columns and functions that say what they hold, and what several statements compute, said once.
-- Stop servers from before this migration first: their statements use the names that change here.

alter table score rename column idless to no_client_id;
alter table donation rename column idless to no_client_id;

-- Where each player stands in a range of days. The second one's body is written anew, because it names the first one.
alter function window_line_with_hidden(integer, date, date) rename to window_standing_with_hidden;
alter function window_line(integer, date, date) rename to window_standing;

create or replace function window_standing(of_board integer, first_day date, last_day date)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  select w.player_id, w.points, w.reached_at, w.order_key
    from window_standing_with_hidden(of_board, first_day, last_day) w
   where not exists (select from player p where p.hidden and p.id = abs(w.player_id));
end;

-- Each function below is one expression. PostgreSQL puts it in place of the call when it plans a statement, but for
-- is_zone, which only administrators' statements call.

-- What a post makes of a standing or of a day on a score board. Without a standing before it, the post is the standing.
-- The better one of two latest posts of one instant stands.
create function points_after(
  policy text, sign smallint, points_before bigint, reached_before timestamptz, points bigint, reached_at timestamptz
) returns bigint
language sql immutable parallel safe
return case
         when points_before is null then points
         when policy = 'sum' then points_before + points
         when policy = 'best' then case when points * sign > points_before * sign then points else points_before end
         when (reached_at, points * sign) >= (reached_before, points_before * sign) then points
         else points_before
       end;

-- When that standing was reached: a best one when it was first posted, the others when their newest post came.
create function reached_after(
  policy text, sign smallint, points_before bigint, reached_before timestamptz, points bigint, reached_at timestamptz
) returns timestamptz
language sql immutable parallel safe
return case
         when points_before is null or policy <> 'best' then greatest(reached_before, reached_at)
         when points * sign > points_before * sign then reached_at
         when points = points_before then least(reached_before, reached_at)
         else reached_before
       end;

-- What a player can still give; below zero where points were voided after they had been given.
create function unspent(w wallet) returns bigint
language sql immutable parallel safe
return w.earned - w.voided - w.held - w.given;

-- The row of a giving board in which a donation counts.
create function giving_row_id(player_id bigint, anonymous boolean) returns bigint
language sql immutable parallel safe
return case when anonymous then - player_id else player_id end;

-- Whether a board may count its days in this time zone.
create function is_zone(zone text) returns boolean
language sql stable parallel safe
return exists (select from pg_timezone_names z where z.name = zone and z.name !~ '^(posix/|Factory)');

-- The standings that no rank may count. They are few, so each is found by its player; an array, for the index.
create view hidden_standing as
select s.board_id, s.order_key, s.reached_at, s.player_id
  from player p join standing s on s.player_id = any(array[p.id, - p.id])
 where p.hidden;

-- The rollups again, by GROUP BY over the ledgers: what `audit` compares them with, and what a demo writes.
create view ledger_standing as
select s.board_id, s.player_id,
       case b.policy
         when 'sum' then sum(s.points)
         when 'best' then max(s.points * b.sign) * b.sign
         else (array_agg(s.points order by s.reached_at desc, s.points * b.sign desc)
                 filter (where b.policy = 'latest'))[1]
       end as points,
       case b.policy
         when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at)
                             filter (where b.policy = 'best'))[1]
         else max(s.reached_at)
       end as reached_at,
       b.lowest_first
  from score s join board b on b.id = s.board_id
 group by s.board_id, s.player_id, b.policy, b.sign, b.lowest_first;

create view ledger_tally as
select s.board_id, (s.reached_at at time zone b.zone)::date as day, s.player_id,
       case b.policy
         when 'sum' then sum(s.points)
         when 'best' then max(s.points * b.sign) * b.sign
         else (array_agg(s.points order by s.reached_at desc, s.points * b.sign desc)
                 filter (where b.policy = 'latest'))[1]
       end as points,
       case b.policy
         when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at)
                             filter (where b.policy = 'best'))[1]
         else max(s.reached_at)
       end as reached_at
  from score s join board b on b.id = s.board_id
 group by s.board_id, (s.reached_at at time zone b.zone)::date, s.player_id, b.policy, b.sign;

-- Each donation counts on its charity's board and on the board of all contributors.
create view giving_ledger as
select b.id as board_id, (d.reached_at at time zone b.zone)::date as day, d.player_id,
       giving_row_id(d.player_id, d.anonymous) as row_id, d.points, d.reached_at, b.lowest_first
  from donation d
  join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall');

grant select on hidden_standing, ledger_standing, ledger_tally, giving_ledger to causeboard_server;
