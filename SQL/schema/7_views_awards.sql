-- The days of some players on some boards, added up: of the scores that count, as counted_score has them. Their states
-- are read once, and not one by one: a player may have hundreds of thousands of scores.
create function counted_days(players bigint[], boards int[])
returns table (board_id int, day date, total numeric, gained numeric, highest bigint, lowest bigint,
               first_at timestamptz, last_at timestamptz)
language sql stable parallel safe
begin atomic
  with uncounted as materialized (
    select m.player_id, m.id from score_state m where m.player_id = any(players)
  )
  select s.board_id, s.day, sum(s.points), coalesce(sum(s.points) filter (where s.points > 0), 0), max(s.points),
         min(s.points), min(s.reached_at), max(s.reached_at)
    from score s
   where s.player_id = any(players) and s.board_id = any(boards)
     and (s.player_id, s.id) not in (select u.player_id, u.id from uncounted u)
   group by s.board_id, s.day;
end;

-- The scores of a player's day on a board that count: the points with the board's sign, and what the day had by then.
create function counted_moments(of_player bigint, of_board int, of_day date, first_at timestamptz, last_at timestamptz)
returns table (points numeric, total numeric, reached_at timestamptz)
language sql stable parallel safe
begin atomic
  select (s.points * b.sign)::numeric, sum(s.points * b.sign) over (order by s.reached_at), s.reached_at
    from board b
   cross join lateral (
           select c.points, c.reached_at
             from counted_score c
            where c.player_id = any(members(of_player)) and c.board_id = of_board and c.day = of_day
              and c.reached_at between counted_moments.first_at and counted_moments.last_at
           offset 0
         ) s
   where b.id = of_board;
end;

-- Since when players hold awards: one function for scores and one for donations. Each is a function of the ledgers
-- alone, of the rows that count now. Players are survivors of merges.

-- Awards for points: of a board, in its season or on one day of it, the first moment at which they were at_least, or at
-- most that where low is good. Awards for days with a score that counts, on a board or on any board of the game:
-- at_least of them within 366 days, or in a row; a day was reached when its first score was, and not before the days
-- before it. Each score of the player is read once, for however many awards. Then each award has one day on which its
-- rule first held, and only the scores of that day are read again.
create function award_scores_held(of_player bigint, awards int[]) returns table (award_id int, given_at timestamptz)
language sql stable parallel safe
begin atomic
  with asked as materialized (
    select a.id, a.rule, a.at_least, a.by_day, b.id as board_id, b.policy, b.sign,
           coalesce(a.board_slug, '') as board_slug
      from award a
      join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = coalesce(a.board_slug, b.slug)
                  and b.season = coalesce(a.season, b.season)
     where a.id = any(awards) and a.rule in ('points', 'days', 'streak')
  ), played as materialized (
    select c.board_id, c.day, c.total, c.gained, c.highest, c.lowest, c.first_at, c.last_at
      from (select array_agg(distinct a.board_id) as boards from asked a) k
     cross join lateral (
             select d.board_id, d.day, d.total, d.gained, d.highest, d.lowest, d.first_at, d.last_at
               from counted_days(members(of_player), k.boards) d
             offset 0
           ) c
     where k.boards is not null
  ), progress as (
    -- What each day made of what was there before it: by its end, and at most meanwhile, if all that was gained came
    -- before what was lost. The points of one score are the best, or the latest, at its moment.
    select v.id, v.board_id, v.policy, v.day, v.first_at, v.last_at, v.at_least, v.is_sum, v.most, v.made,
           case when v.is_sum and not v.by_day
             then sum(v.made) over (partition by v.id, v.board_id order by v.day) - v.made
             else 0
           end as before
      from (select a.id, a.board_id, a.policy, a.by_day, a.policy = 'sum' as is_sum, p.day, p.first_at, p.last_at,
                   a.at_least * a.sign as at_least,
                   case when a.policy = 'sum' then p.total * a.sign
                        when a.sign > 0 then p.highest
                        else - p.lowest
                   end as made,
                   case when a.policy = 'sum' and a.sign > 0 then p.gained
                        when a.policy = 'sum' then p.gained - p.total
                        when a.sign > 0 then p.highest
                        else - p.lowest
                   end as most
              from asked a join played p on p.board_id = a.board_id
             where a.rule = 'points') v
  ), possible as materialized (
    -- The days on which the points may have been there, up to the first one that surely ended with them.
    select r.id, r.board_id, r.is_sum, r.day, r.first_at, r.last_at, r.at_least - r.before as lacked,
           r.is_sum and r.most <> r.made as is_uncertain, r.most
      from (select g.id, g.board_id, g.is_sum, g.day, g.first_at, g.last_at, g.at_least, g.before, g.most, g.made,
                   count(*) filter (where g.before + g.made >= g.at_least)
                     over (partition by g.id, g.board_id order by g.day
                           rows between unbounded preceding and 1 preceding) as times
              from progress g) r
     where r.times = 0 and r.before + r.most >= r.at_least
  ), uncertain as materialized (
    select u.board_id, u.day, max(m.total) as most
      from (select distinct p.board_id, p.day, p.first_at, p.last_at from possible p where p.is_uncertain) u
     cross join lateral counted_moments(of_player, u.board_id, u.day, u.first_at, u.last_at) m
     group by u.board_id, u.day
  ), reached as (
    select distinct on (p.id, p.board_id) p.id, p.board_id, p.is_sum, p.day, p.first_at, p.last_at, p.lacked
      from possible p
      left join uncertain u on p.is_uncertain and u.board_id = p.board_id and u.day = p.day
     where coalesce(u.most, p.most) >= p.lacked
     order by p.id, p.board_id, p.day
  ), date as materialized (
    select d.board_slug, d.day, max(d.first_at) over (partition by d.board_slug order by d.day) as first_at
      from (select l.board_slug, p.day, min(p.first_at) as first_at
              from (select distinct a.board_slug, a.board_id from asked a where a.rule <> 'points') l
              join played p on p.board_id = l.board_id
             group by l.board_slug, p.day) d
  )
  select r.id, min(m.reached_at)
    from reached r
   cross join lateral counted_moments(of_player, r.board_id, r.day, r.first_at, r.last_at) m
   where case when r.is_sum then m.total else m.points end >= r.lacked
   group by r.id
   union all
  select c.id, min(c.first_at)
    from (select a.id, a.rule, a.at_least, d.day, d.first_at,
                 lag(d.day, a.at_least::int - 1) over (partition by a.id order by d.day) as first_day
            from (select distinct x.id, x.rule, x.at_least, x.board_slug from asked x where x.rule <> 'points') a
            join date d on d.board_slug = a.board_slug) c
   where case c.rule when 'days' then c.day - c.first_day <= 365 else c.day - c.first_day = c.at_least - 1 end
   group by c.id;
end;

-- Donations by name, to all charities: so many funded points, or so many charities.
create function award_donations_held(of_player bigint, awards int[])
returns table (award_id int, given_at timestamptz)
language sql stable parallel safe
begin atomic
  with asked as materialized (
    select a.id, a.rule, a.at_least from award a where a.id = any(awards) and a.rule in ('given', 'charities')
  ), donated as materialized (
    select d.charity_id, d.points, d.reached_at
      from funded_donation d
     where d.player_id = any(members(of_player)) and not d.anonymous and exists (select from asked)
  ), reached as materialized (
    select 'given' as rule, d.reached_at, sum(d.points) over (order by d.reached_at) as amount from donated d
     union all
    select 'charities', c.reached_at, count(*) over (order by c.reached_at)
      from (select d.charity_id, min(d.reached_at) as reached_at from donated d group by d.charity_id) c
  )
  select a.id, min(r.reached_at)
    from asked a join reached r on r.rule = a.rule and r.amount >= a.at_least
   group by a.id;
end;

-- All awards that follow from what players did. Awards and players are given in pairs.
create function award_held(awards int[], players bigint[])
returns table (award_id int, player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  select h.award_id, k.player_id, h.given_at
    from (select x.player_id, array_agg(distinct x.award_id) as awards
            from unnest(awards, players) x (award_id, player_id)
           group by x.player_id) k
   cross join lateral (
           select s.award_id, s.given_at from award_scores_held(k.player_id, k.awards) s
            union all
           select d.award_id, d.given_at from award_donations_held(k.player_id, k.awards) d
         ) h;
end;

-- Who holds an award for a rank in a season that is over: from the final order as it is now, since the season ended.
create function award_rank_held(of_award int, of_board int)
returns table (player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  with place as (
    select a.at_least, b.id as board_id, b.ties, b.season_ended_at
      from award a
      join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
                  and b.season = coalesce(a.season, b.season) and b.season_ended_at is not null
     where a.id = of_award and a.rule = 'rank' and b.id = of_board
  ), best as materialized (
    select p.ties, p.season_ended_at, s.order_bucket, s.order_key, s.player_id
      from place p
     cross join lateral (
             select x.order_bucket, x.order_key, x.reached_at, x.player_id
               from standing x
              where x.board_id = p.board_id
                and not exists (select from player h where h.id = x.player_id and h.hidden offset 0)
              order by x.order_bucket, x.order_key, x.reached_at, x.player_id
              limit p.at_least
           ) s
  )
  select b.player_id, b.season_ended_at from best b
   union
  -- Where equal points share a rank, those of the last one do.
  select s.player_id, l.season_ended_at
    from (select b.season_ended_at, max(b.order_bucket) as order_bucket, max(b.order_key) as order_key
            from best b
           where b.ties = 'shared'
           group by b.season_ended_at) l
   cross join lateral (
           select x.player_id
             from standing x
            where x.board_id = of_board and x.order_bucket = l.order_bucket and x.order_key = l.order_key
              and not exists (select from player h where h.id = x.player_id and h.hidden offset 0)
           offset 0
         ) s;
end;

-- Who holds an award for a rank in a campaign that is over at a time: from the final order of its days as it is now,
-- since the campaign ended. Over donations, all who donated by name have a rank, but only players of the award's game
-- get it.
create function award_contest_held(of_award int, at timestamptz)
returns table (player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  select s.player_id, e.ends_at
    from award a
    join campaign c on c.slug = a.contest
    join board b on b.id = c.board_id
   cross join lateral (select campaign_until(c, b) as ends_at offset 0) e
   cross join lateral (
           select w.player_id,
                  case b.ties
                    when 'shared' then rank() over (order by w.order_key)
                    else row_number() over (order by w.order_key, w.reached_at, w.player_id)
                  end as place
             from window_standing(c.board_id, c.first_day, c.last_day) w
            -- An anonymous donation has no player.
            where w.player_id > 0
         ) s
    join player p on p.id = s.player_id and p.game_id = a.game_id
   where a.id = of_award and a.rule = 'rank' and e.ends_at <= award_contest_held.at and s.place <= a.at_least;
end;

-- The awards that a player has, the newest first: of those who are one with it too, the survivor's row first.
create function awards_of(of_player bigint)
returns table (award_id int, occasion text, given_at timestamptz)
language sql stable parallel safe
begin atomic
  select w.award_id, w.occasion, w.given_at
    from (select distinct on (g.award_id, g.occasion) g.award_id, g.occasion, g.given_at
            from award_given g
           where g.player_id = any(members(of_player))
           order by g.award_id, g.occasion, g.player_id = of_player desc, g.given_at, g.player_id) w
   order by w.given_at desc, w.award_id, w.occasion desc;
end;
