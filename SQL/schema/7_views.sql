-- Views: what counts of the ledgers, each rule once, and the rollups again by GROUP BY over the ledgers, with which
-- `audit` compares them.

-- The survivor to whom each player's ledger rows belong. It is for statements about one survivor, given as a value, or
-- about all; the others join merge.
create view ledger_owner (player_id, survivor_id) as
select p.id, p.id from player p where not exists (select from merge m where m.player_id = p.id)
 union all
select m.player_id, m.survivor_id from merge m;

-- The settings of each game as they are in effect. A game for young players has what protects them, whatever is set;
-- what was set is back once the game is for all. Statements that look at a setting read this view.
create view effective_game (id, slug, name, classic, salt, names, refused_words, refused_skeletons, takes_email,
                            friends, teams, team_size, team_rosters, flags, plans, new_unlisted, challenges,
                            stake_max) as
select g.id, g.slug, g.name, g.classic, g.salt, g.names, g.refused_words, g.refused_skeletons,
       g.takes_email and g.audience <> 'young',
       case when g.audience = 'young' and g.friends = 'requests' then 'codes' else g.friends end,
       case when g.audience = 'young' and g.teams = 'codes' then 'off' else g.teams end,
       g.team_size,
       case when g.audience = 'young' then 'members' else g.team_rosters end,
       g.flags and g.audience <> 'young',
       g.plans,
       g.audience = 'young',
       case when g.audience = 'young' and g.challenges = 'team' then 'friends' else g.challenges end,
       case when g.audience = 'young' then 0 else g.stake_max end
  from game g;

-- What everybody sees of each player beside its points. Only some games show flags.
create view shown_player (id, name, avatar, flag, hidden) as
select p.id, p.name, p.avatar,
       case when p.flag is not null then (select p.flag from effective_game g where g.id = p.game_id and g.flags) end,
       p.hidden
  from player p;

-- The rows of players who show a flag, on a board in a range of days, or for all time of its season without one: of
-- flags from one code on and before another one. Hidden players are nowhere. `offset 0` has each row of a season looked
-- up by its key.
create function flagged_standing(of_board int, first_day date, last_day date, from_flag text, before_flag text)
returns table (player_id bigint, flag text, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  with shown as materialized (
    select p.id, p.flag
      from board b
      join effective_game g on g.id = b.game_id and g.flags
      join player p on p.game_id = b.game_id and p.flag >= from_flag and p.flag < before_flag and not p.hidden
     where b.id = of_board
  )
  select h.id, h.flag, s.points::numeric, s.reached_at, s.order_key::numeric
    from shown h
   cross join lateral (
           select t.points, t.reached_at, t.order_key
             from standing t
            where t.board_id = of_board and t.player_id = h.id
           offset 0
         ) s
   where first_day is null
   union all
  select h.id, h.flag, w.points, w.reached_at, w.order_key
    from window_standing(of_board, first_day, last_day) w join shown h on h.id = w.player_id
   where first_day is not null;
end;

-- The states of scores and donations are looked up by their keys, which is what `offset 0` is for: one action adds
-- thousands of rows to tables that were empty when the statement was planned, and a plan that reads them whole for
-- each row would take minutes.

-- The scores that count.
create view counted_score as
select s.player_id, s.id, s.board_id, s.points, s.reached_at, s.day
  from score s
 where not exists (select from score_state m where m.player_id = s.player_id and m.id = s.id offset 0);

-- The funded part of the donations that count.
create view funded_donation as
select d.player_id, d.id, d.charity_id, d.points - coalesce(m.unfunded, 0) as points, d.anonymous, d.reached_at, d.day,
       d.row_id, d.day_began_at
  from donation d
  left join lateral (
         select x.unfunded, x.reversed from donation_state x where x.player_id = d.player_id and x.id = d.id offset 0
       ) m on true
 where not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0);

-- What counts on the donation boards: each donation on its charity's board and on the board of all contributors, under
-- the player whose ledger row it is. An anonymous donation shows only its day, on each board in that board's zone.
-- Adding 0 in the join keeps the planner from reading all donations of each charity to find those of a few players.
create view donation_board_row as
select b.id as board_id,
       case when b.id = c.board_id then d.day else (d.reached_at at time zone b.zone)::date end as day,
       d.player_id, d.row_id, d.points,
       case
         when not d.anonymous then d.reached_at
         when b.id = c.board_id then d.day_began_at
         else date_trunc('day', d.reached_at, 'UTC')
       end as reached_at
  from funded_donation d
  join charity c on c.id = d.charity_id + 0
  join board b on b.id in (c.board_id, (select o.id from board o where o.kind = 'donation' and o.slug = 'overall'));

-- The standings that no rank may count. Anonymous donations of a hidden player stay, or they would tell who donated
-- them.
create view hidden_standing as
select s.board_id, s.order_bucket, s.order_key, s.reached_at, s.player_id
  from player p join standing s on s.player_id = p.id
 where p.hidden;

-- The standings, or by day the tallies, of all boards, computed from the ledgers: those of all players or of some, who
-- must be survivors of merges. Their anonymous donations have rows of their own. PostgreSQL inlines the function. So
-- give the first two arguments as constants: then it finds the rows of some players by index. A condition on `ledger`
-- leaves the other ledger out.
create function ledger_rollup(by_day boolean, of_all boolean, players bigint[])
returns table (ledger text, board_id int, day date, player_id bigint, points numeric, reached_at timestamptz,
               lowest_first boolean)
language sql stable parallel safe
begin atomic
  select 'score', b.id, case when by_day then s.day end, o.survivor_id,
         case b.policy
           when 'sum' then sum(s.points)
           when 'best' then (max(s.points * b.sign) * b.sign)::numeric
           else ((array_agg(s.points order by s.reached_at desc, s.points * b.sign desc)
                   filter (where b.policy = 'latest'))[1])::numeric
         end,
         case b.policy
           when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at)
                              filter (where b.policy = 'best'))[1]
           else max(s.reached_at)
         end,
         b.lowest_first
    from ledger_owner o
    join counted_score s on s.player_id = o.player_id
    join board b on b.id = s.board_id
   where of_all or o.survivor_id = any(players)
   group by b.id, b.policy, b.sign, b.lowest_first, case when by_day then s.day end, o.survivor_id
   union all
  select 'donation', d.board_id, case when by_day then d.day end, coalesce(d.row_id, o.survivor_id), sum(d.points),
         max(d.reached_at), false
    from ledger_owner o join donation_board_row d on d.player_id = o.player_id
   where of_all or o.survivor_id = any(players)
   group by d.board_id, case when by_day then d.day end, coalesce(d.row_id, o.survivor_id);
end;

create view ledger_standing as
select r.ledger, r.board_id, r.player_id, r.points, r.reached_at, r.lowest_first
  from ledger_rollup(false, true, null) r;

create view ledger_tally as
select r.ledger, r.board_id, r.day, r.player_id, r.points, r.reached_at from ledger_rollup(true, true, null) r;

-- The ids of the ten best posts of a player on a board that reached their points before a time, best first. This
-- function reads a view, so it stands here.
create function best_post_ids(of_player bigint, of_board int, before timestamptz) returns table (ids uuid[])
language sql stable parallel safe
begin atomic
  select coalesce(array_agg(t.id order by t.order_key, t.reached_at, t.id), '{}')
    from (select s.id, s.points * -b.sign as order_key, s.reached_at
            from counted_score s join board b on b.id = s.board_id
           where s.player_id = of_player and s.board_id = of_board and s.reached_at < before
           order by s.points * -b.sign, s.reached_at, s.id
           limit 10) t;
end;

-- What each charity received. Anonymous donors are no contributors, and show no time.
create view charity_total_recomputed as
select d.charity_id, sum(d.points) as points,
       count(distinct coalesce(o.survivor_id, d.player_id)) filter (where not d.anonymous) as contributors,
       max(d.reached_at) filter (where not d.anonymous) as reached_at
  from funded_donation d left join merge o on o.player_id = d.player_id
 group by d.charity_id;

create view charity_donated_recomputed as
select d.charity_id, d.day, sum(case when m.reversed then 0 else d.points end) as points
  from charity c
  join donation d on d.charity_id = c.id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where c.cap_day is not null or c.cap_all is not null
 group by d.charity_id, d.day;

-- What the corrections say of each ledger row: whether it is voided, held or reversed (1) or not (0), and how many of
-- its points are unfunded.
create view correction_recomputed as
select c.player_id, c.subject as id,
       coalesce(sum(case c.kind when 'void' then 1 when 'unvoid' then -1 end), 0) as voids,
       coalesce(sum(case c.kind when 'hold' then 1 when 'release' then -1 end), 0) as holds,
       coalesce(sum(case c.kind when 'reverse' then 1 when 'unreverse' then -1 end), 0) as reversals,
       coalesce(sum(case c.kind when 'unfund' then c.points when 'fund' then - c.points end), 0)::bigint as unfunded
  from correction c
 group by c.player_id, c.subject;

-- What the ledgers and the corrections say of each wallet. That of a merged player is empty.
create view wallet_recomputed as
select p.id as player_id, coalesce(e.points, 0) as earned, coalesce(c.voided, 0) as voided, coalesce(c.held, 0) as held,
       coalesce(g.points, 0) - coalesce(c.reversed, 0) as donated, m.player_id is not null as merged,
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

-- The log with its words, where they were not erased, and whether an entry reveals who made an anonymous donation. That
-- donation is found by its key: its owner and id stand in the entry's action, or in the action that this one undoes.
create view logged_entry as
select e.n, e.logged_at, e.action, e.actor, e.kind, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason,
       w.name, x.player_id,
       exists (
         select
           from (select coalesce(x.owner_id, u.owner_id) as player_id, array[x.subject, u.subject] as ids
                   from (select 1) one left join moderation_action u on u.id = x.subject) k
          cross join lateral (
                  select r.anonymous from donation r where r.player_id = k.player_id and r.id = any(k.ids) offset 0
                ) d
          where d.anonymous
       ) as is_about_anonymous
  from log_entry e
  left join log_words w on w.n = e.n
  left join moderation_action x on x.n = e.n;

-- The reports of each player that have words, in order of place: those in the first places keep their words and are
-- shown. Reports that wait come before dismissed ones, and the first report of each network before further ones. Of the
-- others, the oldest and the newest come first, so that many reports push out neither.
create view report_place as
select r.player_id, r.reporter_id, r.reported_at, r.text, r.dismissed_by,
       row_number() over (partition by r.player_id
                          order by r.dismissed_by is not null, r.round > 1, least(r.from_oldest, r.from_newest),
                                   r.from_oldest) as place
  from (select w.player_id, w.reporter_id, w.reported_at, w.text, w.dismissed_by,
               row_number() over (partition by w.player_id, w.dismissed_by is not null, w.source
                                  order by w.reported_at, w.reporter_id) as round,
               row_number() over (partition by w.player_id order by w.reported_at, w.reporter_id) as from_oldest,
               row_number() over (partition by w.player_id
                                  order by w.reported_at desc, w.reporter_id desc) as from_newest
          from report w
         where w.text is not null) r;

-- What reporters wrote about a player and what waits, the oldest first. This function reads a view, so it stands here.
create function report_words(of_player bigint) returns text[] language sql stable parallel safe
return (select array_agg(p.text order by p.reported_at, p.reporter_id)
          from report_place p
         where p.player_id = of_player and p.dismissed_by is null and p.place <= 20);

-- What waits for an operator's decision. The item of a name is that name's, and the item of reports is of those so far:
-- what comes afterwards is another item. A score that waits only for the game's verdict is not here.
create view queue_item (item, kind, player_id, score_id, why, at, times, sources, team_id) as
select md5('name ' || p.id || ' ' || p.asked_name)::uuid, 'name', p.id, null::uuid, p.asked_name, p.asked_at, 1::bigint,
       1::bigint, null::bigint
  from player p
 where p.asked_name is not null
 union all
select md5('report ' || r.player_id || ' ' || r.newest)::uuid, 'report', r.player_id, null, r.why, r.oldest, r.times,
       r.sources, null
  from (select w.player_id, max(w.reported_at) as newest, min(w.reported_at) as oldest, count(*) as times,
               string_agg(distinct w.why, ' ' order by w.why) as why,
               count(distinct coalesce(w.source, w.reporter_id)) as sources
          from report w
         where w.dismissed_by is null
         group by w.player_id) r
 union all
select h.item, 'held', h.player_id, h.id, array_to_string(h.why, ' '), h.held_at, 1, 1,
       null
  from score_state m join held_score h on h.player_id = m.player_id and h.id = m.id
 where m.state = 'held' and (h.why <> '{judge}' or h.judge_until is null)
 union all
select md5('team ' || t.id || ' ' || t.asked_name)::uuid, 'team-name', null, null, t.asked_name, t.asked_at, 1, 1, t.id
  from team t
 where t.asked_name is not null
 union all
select md5('team report ' || r.team_id || ' ' || r.newest)::uuid, 'team-report', null, null, r.name, r.oldest, r.times,
       r.sources, r.team_id
  from (select w.team_id, t.name, max(w.reported_at) as newest, min(w.reported_at) as oldest, count(*) as times,
               count(distinct coalesce(w.source, w.reporter_id)) as sources
          from team_report w join team t on t.id = w.team_id
         where w.dismissed_by is null
         group by w.team_id, t.name) r;
