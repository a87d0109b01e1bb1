-- Functions about contests.

-- When the days of a challenge are over.
create function challenge_until(c challenge, b board) returns timestamptz language sql stable parallel safe
return least(day_start(c.last_day + 1, b.zone), b.season_ended_at);

-- What a challenge is at a time: open; over, while its points settle; settled; or lapsed.
create function challenge_state(c challenge, b board, at timestamptz) returns text language sql stable parallel safe
return case when c.state = 'open' and challenge_until(c, b) <= at then 'over' else c.state end;

-- When a campaign is over: after its last day, or when the season of its board ends, but not before it begins.
create function campaign_until(c campaign, b board) returns timestamptz language sql stable parallel safe
return greatest(day_start(c.first_day, b.zone), least(day_start(c.last_day + 1, b.zone), b.season_ended_at));

-- How long after its end a challenge on a board is settled.
create function challenge_wait(b board) returns interval language sql immutable parallel safe
return greatest(settle_time(b), interval '10 minutes');

-- Challenges to settle now, at most rows_max: their days or the season of their board have ended, and points have had
-- time to settle.
create function due_challenges(at timestamptz, rows_max int) returns table (id uuid)
language sql stable parallel safe
begin atomic
  select c.id
    from board b
   cross join lateral (
           (select x.id
              from challenge x
             where b.season_ended_at + challenge_wait(b) <= at and x.board_id = b.id and x.settled_at is null
             order by x.last_day
             limit rows_max)
            union
           (select x.id
              from challenge x
             where x.board_id = b.id and x.settled_at is null and x.last_day < (at at time zone b.zone)::date
               and day_start(x.last_day + 1, b.zone) + challenge_wait(b) <= at
             order by x.last_day
             limit rows_max)
         ) c
   where b.kind = 'score'
   limit rows_max;
end;

-- What a player has answered to a challenge: of several who are one, the survivor's own answer, or that of the smallest
-- id. No row for who is not invited.
create function entry_of(of_player bigint, of_contest uuid)
returns table (player_id bigint, state text, charity_id int, won boolean)
language sql stable parallel safe
begin atomic
  select e.player_id, e.state, e.charity_id, e.won
    from unnest(members(of_player)) m (id)
   cross join lateral (
           select x.player_id, x.state, x.charity_id, x.won
             from entry x
            where x.player_id = m.id and x.contest = of_contest
           offset 0
         ) e
   order by e.player_id = of_player desc, e.player_id
   limit 1;
end;

-- The entry of a player in a campaign with cohorts: of merged players, that of the survivor, or of the smallest id. No
-- row for a player who has not entered.
create function cohort_entry_of(of_player bigint, of_campaign int) returns table (cohort int, room int)
language sql stable parallel safe
begin atomic
  select c.cohort, c.room
    from unnest(members(of_player)) m (id)
   cross join lateral (
           select x.player_id, x.cohort, x.room
             from cohort_member x
            where x.player_id = m.id and x.campaign_id = of_campaign
           offset 0
         ) c
   order by c.player_id = of_player desc, c.player_id
   limit 1;
end;

create function cohort_of(of_player bigint, of_campaign int) returns int language sql stable parallel safe
return (select e.cohort from cohort_entry_of(of_player, of_campaign) e);

-- Everybody who has an answer to a challenge, by the same rule.
create function entrants_of(of_contest uuid)
returns table (player_id bigint, entry_player_id bigint, state text, charity_id int, won boolean)
language sql stable parallel safe
begin atomic
  select distinct on (s.survivor_id) s.survivor_id, e.player_id, e.state, e.charity_id, e.won
    from entry e
   cross join lateral (
           select coalesce((select m.survivor_id from merge m where m.player_id = e.player_id), e.player_id)
                    as survivor_id
          offset 0
         ) s
   where e.contest = of_contest
   order by s.survivor_id, e.player_id = s.survivor_id desc, e.player_id;
end;

-- How many challenges that are not settled a player has entered, or has not answered.
create function open_entries(of_player bigint) returns bigint language sql stable parallel safe
return (
  select count(*)
    from entry e
   where e.player_id = any(members(of_player)) and e.settled_at is null and e.state in ('invited', 'entered')
);

-- Where some players stand in a range of days of a board. Each day of each player is found by its key. Who is hidden
-- has no row. For the asking player, posts that only count in its own view are added: see own_posts.
create function contest_standing(
  of_board int, first_day date, last_day date, players bigint[], asking bigint, asked_at timestamptz)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  with shown as materialized (
    select p.id
      from unnest(players) a (id)
     cross join lateral (select q.id from player q where q.id = a.id and not q.hidden offset 0) p
  ), post as (
    select s.id as player_id, t.points::numeric as points, t.reached_at
      from shown s
     cross join generate_series(0, contest_standing.last_day - contest_standing.first_day) d (n)
     cross join lateral (
             select x.points, x.reached_at
               from tally x
              where x.board_id = of_board and x.day = contest_standing.first_day + d.n and x.player_id = s.id
             offset 0
           ) t
     union all
    select s.id, o.points, o.reached_at
      from shown s
     cross join own_posts(
             asking, of_board, contest_standing.first_day, contest_standing.last_day, asked_at) o
     where s.id = asking
  )
  select l.player_id, l.points, l.reached_at, l.points * -l.sign
    from (select p.player_id, b.sign,
                 case b.policy
                   when 'sum' then sum(p.points)
                   when 'best' then max(p.points * b.sign) * b.sign
                   else (array_agg(p.points order by p.reached_at desc, p.points * b.sign desc))[1]
                 end as points,
                 case b.policy
                   when 'best' then (array_agg(p.reached_at order by p.points * b.sign desc, p.reached_at))[1]
                   else max(p.reached_at)
                 end as reached_at
            from post p join board b on b.id = of_board
           group by p.player_id, b.policy, b.sign) l;
end;
