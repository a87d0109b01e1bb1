-- holds: posts that are kept back until somebody has decided about them, the rules of boards that keep them back, and
-- points that are too new to be given.
-- compatible since: 29
-- known as: 64a48fcaa4bb6882b7722e009597daa65e0f768879f116fd2b1fb551cc6cfb2a
-- Databases know this migration by the checksum of its first text. That altered wallet while unspent() took its rows,
-- which PostgreSQL 17 refuses; the schema that it makes is the same.
alter table board
  add column hold_above numeric,           -- times the 99th percentile of the board
  add column hold_rate  integer,           -- posts of a player a minute
  add column hold_pace  bigint,            -- points of a player a minute
  add column judge      integer,           -- minutes in which the game may judge each post
  add column settle     integer,           -- minutes before points may be given; null is the standard
  add constraint board_hold_above_check check (
    hold_above > 0 and hold_above <= 1000000 and (hold_above < 1) = lowest_first
  ),
  add constraint board_hold_rate_check check (hold_rate between 1 and 600),
  add constraint board_hold_pace_check check (hold_pace is null or hold_pace >= 1 and not lowest_first),
  add constraint board_judge_check check (judge between 1 and 1440),
  add constraint board_settle_check check (settle between 0 and 10080);

-- How long the points of a board's posts are too new to be given: 10 minutes where posts may be held, if nothing else
-- is set.
create function settle_time(b board) returns interval language sql immutable parallel safe
return make_interval(mins => coalesce(
  b.settle, case when coalesce(b.hold_above, b.hold_rate, b.hold_pace, b.judge) is null then 0 else 10 end));

-- When a player posted last to a board whose rules go by that: each instant as far as it can be believed.
create table post_times (
  board_id  integer       not null,
  player_id bigint        not null,
  posted_at timestamptz[] not null,        -- the newest last; as many as the board takes in a minute
  constraint post_times_pkey primary key (board_id, player_id),
  constraint post_times_posted_at_check check (cardinality(posted_at) between 1 and 600)
);

-- What the scores of each board are like, by which its rules go. It is measured from time to time.
create table board_measure (
  board_id    integer     not null,
  posts       integer     not null,        -- at most 1,000: how many there are, or enough
  percentile  bigint,                      -- the 99th of the points that players have, or the 1st where low is good
  measured_at timestamptz not null,
  inherited   boolean     not null default false, -- whether it is the one of the season before
  constraint board_measure_pkey primary key (board_id),
  constraint board_measure_posts_check check (posts between 0 and 1000)
);

-- Why a score was held. Whether it is held still, score_state says.
create table held_score (
  player_id   bigint      not null,
  id          uuid        not null,
  item        uuid        not null,        -- its name in the queue
  why         text[]      not null,
  held_at     timestamptz not null,
  judge_until timestamptz,                 -- until when it waits for the game's verdict; null when it does not
  verdict     text,                        -- the game's
  judged_by   integer,                     -- the key
  judged_at   timestamptz,
  constraint held_score_pkey primary key (player_id, id),
  constraint held_score_item_key unique (item),
  constraint held_score_why_check check (
    cardinality(why) >= 1 and why <@ array['above', 'rate', 'pace', 'judge', 'operator']
  ),
  constraint held_score_verdict_check check (verdict in ('clear', 'void')),
  constraint held_score_judged_check check (
    (verdict is null) = (judged_by is null) and (verdict is null) = (judged_at is null)
    and (verdict is null or judge_until is null)
  )
);
create index held_score_judge_until_idx on held_score (judge_until, item) where judge_until is not null;
create index score_state_held_idx on score_state (player_id, id) where state = 'held';

drop function unspent(wallet);
alter table wallet
  add column holds        integer not null default 0,
  add column settles_at   timestamptz,
  add column secret_until timestamptz,
  add constraint wallet_holds_check check (holds >= 0);
create function unspent(w wallet) returns bigint
language sql immutable parallel safe
return w.earned - w.voided - w.held - w.given;
comment on column wallet.holds is 'how many scores are held';
comment on column wallet.settles_at is 'when the newest points may be given; null or past when all may';
comment on column wallet.secret_until is
  'until when some score is held, or voided after that, and its owner is not told';

update wallet w
   set holds = h.holds
  from (select coalesce(o.survivor_id, m.player_id) as player_id, count(*) as holds
          from score_state m left join merge o on o.player_id = m.player_id
         where m.state = 'held'
         group by 1) h
 where w.player_id = h.player_id;

insert into held_score (player_id, id, item, why, held_at)
select m.player_id, m.id, gen_random_uuid(), '{operator}', coalesce(
         (select max(c.corrected_at) from correction c
           where c.player_id = m.player_id and c.subject = m.id and c.kind = 'hold'), now())
  from score_state m
 where m.state = 'held';

comment on column correction.act is
  'null when no operator did it: when a player took a donation back, and when that or later points funded another one '
  'again; when a rule held a score, and when the game or time decided about it';

-- Each batch looks for its players among those who were erased, by their key and never by this index.
drop index erasure_erased_at_idx;
create index erasure_erased_at_idx on erasure (erased_at);

-- Scores that count for their owner, though not for anybody else: those that are held, and those that were voided
-- while they were held, as long as their points are too new to be given. The latter are secret, and so are the former
-- for that long.
create view owner_score as
select m.player_id, m.id, s.board_id, s.points, s.earned, s.reached_at,
       coalesce(s.day, (s.reached_at at time zone b.zone)::date) as day, m.state,
       s.reached_at + settle_time(b) as secret_until
  from score_state m
  join held_score h on h.player_id = m.player_id and h.id = m.id
  join score s on s.player_id = m.player_id and s.id = m.id
  join board b on b.id = s.board_id;

-- Where a player stands on a board, or in a range of its days, as the player itself is told.
create function own_standing(of_player bigint, of_board int, first_day date, last_day date, at timestamptz)
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
    select o.points, o.reached_at
      from owner_score o
     where o.player_id = any(members(of_player)) and o.board_id = of_board
       and (first_day is null or o.day between first_day and last_day)
       and (o.state = 'held' or o.secret_until > at)
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

-- What a player's scores earned that is secret: held or voided, and its owner is not told.
create function secret_points(of_player bigint, at timestamptz) returns table (held numeric, voided numeric)
language sql stable parallel safe
begin atomic
  select coalesce(sum(o.earned) filter (where o.state = 'held'), 0),
         coalesce(sum(o.earned) filter (where o.state = 'voided'), 0)
    from owner_score o
   where o.player_id = any(members(of_player)) and o.secret_until > at;
end;

-- What the owner of a score is told that its state is; null for a score that has none.
create function told_state(m score_state, at timestamptz) returns text language sql stable parallel safe
return coalesce(
  (select 'counted' from owner_score o where o.player_id = m.player_id and o.id = m.id and o.secret_until > at),
  m.state);

-- The points that a player is told it can give.
create function told_left(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return greatest(0, unspent(w) + case
  when w.secret_until > at then (select (s.held + s.voided)::bigint from secret_points(w.player_id, at) s)
  else 0
end);

-- The points among these that are too new to be given: those of scores that count, as the player is told.
create function settling_points(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return case
  when w.settles_at > at then least(told_left(w, at), (
    select coalesce(sum(s.earned), 0)
      from score s
      join board b on b.id = s.board_id
      left join score_state m on m.player_id = s.player_id and m.id = s.id
     where s.player_id = any(members(w.player_id))
       and s.reached_at > at - (select max(settle_time(x)) from board x where x.kind = 'score')
       and s.reached_at + settle_time(b) > at
       -- One that was held is told to count for so long.
       and (m.state is null
            or exists (select from held_score h where h.player_id = s.player_id and h.id = s.id))))::bigint
  else 0
end;

create or replace view wallet_proof as
select p.id as player_id, coalesce(e.points, 0) as earned, coalesce(c.voided, 0) as voided, coalesce(c.held, 0) as held,
       coalesce(g.points, 0) - coalesce(c.reversed, 0) as given, m.player_id is not null as merged,
       coalesce(n.merges, 0) as merges, coalesce(c.holds, 0) as holds
  from player p
  left join merge m on m.player_id = p.id
  left join (select survivor_id, count(*) as merges from merge group by survivor_id) n on n.survivor_id = p.id
  left join (select o.survivor_id as player_id, sum(s.earned) as points
               from ledger_owner o join score s on s.player_id = o.player_id
              group by o.survivor_id) e on e.player_id = p.id
  left join (select o.survivor_id as player_id, sum(d.points) as points
               from ledger_owner o join donation d on d.player_id = o.player_id
              group by o.survivor_id) g on g.player_id = p.id
  left join (select o.survivor_id as player_id,
                    sum(case when k.kind in ('void', 'forfeit') then k.points
                             when k.kind in ('unvoid', 'unforfeit') then - k.points else 0 end) as voided,
                    sum(case k.kind when 'hold' then k.points when 'release' then - k.points else 0 end) as held,
                    sum(case k.kind when 'reverse' then k.points when 'unreverse' then - k.points else 0 end)
                      as reversed,
                    sum(case k.kind when 'hold' then 1 when 'release' then -1 else 0 end) as holds
               from ledger_owner o join correction k on k.player_id = o.player_id
              group by o.survivor_id) c on c.player_id = p.id;

-- What waits for a decision. A score that waits for the game's verdict alone is not an operator's matter.
create or replace view queue_item (item, kind, player_id, score_id, why, at, times, words) as
select md5('name ' || p.id || ' ' || p.asked_name)::uuid, 'name', p.id, null::uuid, p.asked_name, p.asked_at, 1::bigint,
       null::text[]
  from player p
 where p.asked_name is not null
 union all
select md5('report ' || r.player_id || ' ' || max(r.reported_at))::uuid, 'report', r.player_id, null,
       string_agg(distinct r.why, ' ' order by r.why), min(r.reported_at), count(*),
       array_agg(r.text order by r.reported_at, r.reporter_id) filter (where r.text is not null)
  from report r
 where r.dismissed_by is null
 group by r.player_id
 union all
select h.item, 'held', h.player_id, h.id, array_to_string(h.why, ' '), h.held_at, 1, null
  from score_state m join held_score h on h.player_id = m.player_id and h.id = m.id
 where m.state = 'held' and (h.why <> '{judge}' or h.judge_until is null);
