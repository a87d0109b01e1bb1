-- All scores of some players on some boards that count, as counted_score has them. Their states are read once, and not
-- one by one: a player may have hundreds of thousands of scores.
create function counted_posts(players bigint[], boards int[])
returns table (board_id int, day date, points bigint, reached_at timestamptz)
language sql stable parallel safe
begin atomic
  with uncounted as materialized (
    select m.player_id, m.id from score_state m where m.player_id = any(players)
  )
  select s.board_id, s.day, s.points, s.reached_at
    from score s
   where s.player_id = any(players) and s.board_id = any(boards)
     and (s.player_id, s.id) not in (select u.player_id, u.id from uncounted u);
end;

-- Since when players hold awards: one function for each rule. Each is a function of the ledgers alone, of the rows that
-- count now. Awards and players are given in pairs, and players are survivors of merges.

-- The points of a board, in its season or on one day of it: the first moment at which they were at_least, or at most
-- that where low is good. Each row of a player is read once, for however many awards.
create function award_points_held(awards int[], players bigint[])
returns table (award_id int, player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  with asked as materialized (
    select a.id, x.player_id, a.at_least, a.by_day, b.id as board_id, b.policy, b.sign
      from unnest(awards, players) x (award_id, player_id)
      join award a on a.id = x.award_id and a.rule = 'points'
      join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
                  and b.season = coalesce(a.season, b.season)
  ), post as materialized (
    select k.player_id, s.board_id, s.day, s.points, s.reached_at
      from (select p.player_id, array_agg(distinct p.board_id) as boards from asked p group by p.player_id) k
     cross join lateral (
             select c.board_id, c.day, c.points, c.reached_at
               from counted_posts(members(k.player_id), k.boards) c
             offset 0
           ) s
  ), value as (
    -- The points of one score are the best, or the latest, at its moment.
    select p.player_id, p.board_id, false as by_day, p.reached_at, (p.points * k.sign)::numeric as value
      from (select distinct a.player_id, a.board_id, a.sign from asked a where a.policy <> 'sum') k
      join post p on p.player_id = k.player_id and p.board_id = k.board_id
     union all
    select k.player_id, k.board_id, k.by_day, p.reached_at,
           k.sign * sum(p.points) over (partition by k.player_id, k.board_id, k.by_day,
                                                     case when k.by_day then p.day end
                                        order by p.reached_at)
      from (select distinct a.player_id, a.board_id, a.by_day, a.sign from asked a where a.policy = 'sum') k
      join post p on p.player_id = k.player_id and p.board_id = k.board_id
  ), record as materialized (
    -- Whatever is asked for was first reached where more was reached than before.
    select r.player_id, r.board_id, r.by_day, r.reached_at, r.value
      from (select v.player_id, v.board_id, v.by_day, v.reached_at, v.value,
                   max(v.value) over (partition by v.player_id, v.board_id, v.by_day order by v.reached_at
                                      rows between unbounded preceding and 1 preceding) as before
              from value v) r
     where r.before is null or r.value > r.before
  )
  select a.id, a.player_id, min(r.reached_at)
    from asked a
    join record r on r.player_id = a.player_id and r.board_id = a.board_id
                 and r.by_day = (a.by_day and a.policy = 'sum')
   where r.value >= a.at_least * a.sign
   group by a.id, a.player_id;
end;

-- Days with a score that counts, on a board or on any board of the game: at_least of them within 366 days, or in a row.
-- A day was reached when its first score was, and not before the days before it.
create function award_days_held(awards int[], players bigint[])
returns table (award_id int, player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  with asked as materialized (
    select a.id, x.player_id, a.rule, a.at_least::int as at_least, a.game_id, coalesce(a.board_slug, '') as board_slug
      from unnest(awards, players) x (award_id, player_id)
      join award a on a.id = x.award_id and a.rule in ('days', 'streak')
  ), place as materialized (
    select distinct p.player_id, p.board_slug, b.id as board_id
      from asked p
      join board b on b.kind = 'score' and b.game_id = p.game_id and (p.board_slug = '' or b.slug = p.board_slug)
  ), post as materialized (
    select k.player_id, s.board_id, s.day, min(s.reached_at) as reached_at
      from (select p.player_id, array_agg(distinct p.board_id) as boards from place p group by p.player_id) k
     cross join lateral (
             select c.board_id, c.day, c.reached_at
               from counted_posts(members(k.player_id), k.boards) c
             offset 0
           ) s
     group by k.player_id, s.board_id, s.day
  ), played as materialized (
    select d.player_id, d.board_slug, d.day,
           max(d.reached_at) over (partition by d.player_id, d.board_slug order by d.day) as reached_at
      from (select l.player_id, l.board_slug, p.day, min(p.reached_at) as reached_at
              from place l join post p on p.player_id = l.player_id and p.board_id = l.board_id
             group by l.player_id, l.board_slug, p.day) d
  )
  select c.id, c.player_id, min(c.reached_at)
    from (select a.id, a.player_id, a.rule, a.at_least, p.day, p.reached_at,
                 lag(p.day, a.at_least - 1) over (partition by a.id, a.player_id order by p.day) as first_day
            from asked a join played p on p.player_id = a.player_id and p.board_slug = a.board_slug) c
   where case c.rule when 'days' then c.day - c.first_day <= 365 else c.day - c.first_day = c.at_least - 1 end
   group by c.id, c.player_id;
end;

-- Donations by name, to all charities: so many funded points, or so many charities.
create function award_given_held(awards int[], players bigint[])
returns table (award_id int, player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  with asked as materialized (
    select a.id, x.player_id, a.rule, a.at_least
      from unnest(awards, players) x (award_id, player_id)
      join award a on a.id = x.award_id and a.rule in ('given', 'charities')
  ), donated as materialized (
    select k.player_id, d.charity_id, d.points, d.reached_at
      from (select distinct p.player_id from asked p) k
     cross join lateral (
             select f.charity_id, f.points, f.reached_at
               from funded_donation f
              where f.player_id = any(members(k.player_id)) and not f.anonymous
             offset 0
           ) d
  ), reached as materialized (
    select d.player_id, 'given' as rule, d.reached_at,
           sum(d.points) over (partition by d.player_id order by d.reached_at) as amount
      from donated d
     union all
    select c.player_id, 'charities', c.reached_at,
           count(*) over (partition by c.player_id order by c.reached_at)
      from (select d.player_id, min(d.reached_at) as reached_at
              from donated d
             group by d.player_id, d.charity_id) c
  )
  select a.id, a.player_id, min(r.reached_at)
    from asked a join reached r on r.player_id = a.player_id and r.rule = a.rule and r.amount >= a.at_least
   group by a.id, a.player_id;
end;

-- All awards that follow from what a player did.
create function award_held(awards int[], players bigint[])
returns table (award_id int, player_id bigint, given_at timestamptz)
language sql stable parallel safe
begin atomic
  select h.award_id, h.player_id, h.given_at from award_points_held(awards, players) h
   union all
  select h.award_id, h.player_id, h.given_at from award_days_held(awards, players) h
   union all
  select h.award_id, h.player_id, h.given_at from award_given_held(awards, players) h;
end;

-- Who holds an award for a rank, of a season that is over: from the final order as it is now, since the season ended.
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
