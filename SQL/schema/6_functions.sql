-- Functions: what several statements compute, each once. PostgreSQL puts those of one expression in place of the call.

-- Whether a board may count its days in this time zone.
create function is_zone(zone text) returns boolean language sql stable parallel safe
return exists (select from pg_timezone_names z where z.name = zone and z.name !~ '^(posix/|Factory)');

-- Ends a statement with 22012 (division by zero) where a condition is false or null: for statements that change a row
-- only if it is still what it was taken for. Counting what was changed would cost more.
create function must(condition boolean) returns boolean language sql immutable parallel safe
return 1 / (condition is true)::int = 1;

-- A setting of a board, a charity or a game is a column that only its description names. So statements pass settings as
-- a JSON object of columns and values, and these functions write it. They run with the rights of their caller, and fail
-- for an unknown column.

-- Adds a row with these columns; all others get their defaults. Returns its id.
-- may_exist: whether to return null instead of an error if the row violates a unique constraint.
create function row_add(relation regclass, settings jsonb, may_exist boolean) returns integer language plpgsql as $$
declare
  columns text := (select string_agg(quote_ident(k.name), ', ') from jsonb_object_keys(settings) k(name));
  added integer;
begin
  execute format(
    'insert into %1$s (%2$s) select %2$s from jsonb_populate_record(null::%1$s, $1) %3$s returning id',
    relation, columns, case when may_exist then 'on conflict do nothing' end)
  into added using settings;
  return added;
end $$;

-- Changes these columns of a row. It also sets the id to itself, so that the row gets a new version (`xmin`) even
-- without any column. Returns whether there is such a row.
create function row_set(relation regclass, row_id integer, settings jsonb) returns boolean language plpgsql as $$
declare
  columns text := (select string_agg(', ' || quote_ident(k.name), '') from jsonb_object_keys(settings) k(name));
  changed integer;
begin
  execute format(
    'update %1$s r set (id%2$s) = (select id%2$s from jsonb_populate_record(r, $1)) where r.id = $2', relation, columns)
  using settings, row_id;
  get diagnostics changed = row_count;
  return changed = 1;
end $$;

-- When a day of a zone is over, or three hours sooner where clocks change in these hours: where they go back to the day
-- before, that day's midnight comes twice.
create function day_end(day date, zone text) returns timestamptz language sql stable parallel safe
return (
  select case
           when (m.at at time zone zone) - ((m.at - interval '3 hours') at time zone zone) = interval '3 hours'
             then m.at
           else m.at - interval '3 hours'
         end
    from (select (day + 1)::timestamp at time zone zone as at) m
);

-- When a day of a zone begins. Where clocks go back at 1:00, as on the Azores, midnight comes twice and `at time zone`
-- means the second one: so a day begins at the earliest half hour that belongs to it.
create function day_start(day date, zone text) returns timestamptz language sql stable parallel safe
return (
  select min(m.at)
    from generate_series(-4, 0) n,
         lateral (select day::timestamp at time zone zone + n * interval '30 minutes') m (at)
   where (m.at at time zone zone)::date >= day
);

-- The day of a zone on which the season that is played at a time ends: the next day, Monday or first of a month. Null
-- where seasons do not end by themselves.
create function next_season_day(season_every text, zone text, at timestamptz) returns date
language sql stable parallel safe
return case season_every
  when 'day' then (at at time zone zone)::date + 1
  when 'week' then date_trunc('week', at at time zone zone)::date + 7
  when 'month' then (date_trunc('month', at at time zone zone) + interval '1 month')::date
end;

-- How long the points of a board's posts are too new to be donated: 10 minutes where posts may be held, unless set.
create function settle_time(b board) returns interval language sql immutable parallel safe
return make_interval(mins => coalesce(
  b.settle, case when coalesce(b.hold_above, b.hold_rate, b.hold_pace, b.judge) is null then 0 else 10 end));

-- What everybody sees of a new player whose name waits. It tells no more than the public id does.
create function waiting_name(player_id bigint) returns text language sql immutable parallel safe
return 'Player ' || lpad((player_id % 10000)::text, 4, '0');

-- The same of a team.
create function waiting_team_name(team_id bigint) returns text language sql immutable parallel safe
return 'Team ' || lpad((team_id % 10000)::text, 4, '0');

-- The row id of an anonymous donation: the 62 random bits at the end of a UUID of version 4. It reveals nothing.
create function anonymous_row_id(random uuid) returns bigint language sql immutable parallel safe
return -1 - (('x' || right(replace(random::text, '-', ''), 16))::bit(64)::bigint & 4611686018427387903);

-- All players merged with a player, by either id, and itself: whose ledger rows are its own.
create function members(player_id bigint) returns bigint[] language sql stable parallel safe
return (
  select array_append(array(select m.player_id from merge m where m.survivor_id = s.id), s.id)
    from (select coalesce((select m.survivor_id from merge m where m.player_id = members.player_id),
                          members.player_id) as id) s
);

-- The ids under which the server may have donated for a player. After a merge it donates as the survivor, and an undo
-- leaves those donations with the survivor.
create function donors(of_player bigint) returns bigint[] language sql stable parallel safe
return (
  with recursive donor (id) as (
    select m.id from unnest(members(of_player)) m (id)
     union
    select a.into_id from donor d join moderation_action a on a.player_id = d.id where a.into_id is not null
  )
  select array_agg(d.id) from donor d
);

-- A player's tie to another player, and since when; no row if there is none. Both are survivors of merges. The ties of
-- players merged into them count too: a block first, then the survivor's own tie, then the newest.
-- It looks up each row by its key, because any number of players may have ties to the same player.
create function tie_said(of_player bigint, about bigint) returns table (says text, at timestamptz)
language sql stable parallel safe
begin atomic
  select t.says, t.at
    from unnest(members(of_player)) p (id)
   cross join unnest(members(about)) o (id)
   cross join lateral (
           select x.player_id, x.other_id, x.says, x.at
             from tie x
            where x.player_id = p.id and x.other_id = o.id
           offset 0
         ) t
   order by t.says = 'block' desc, t.player_id = of_player desc, t.other_id = about desc, t.at desc, t.player_id,
            t.other_id
   limit 1;
end;

-- All ties of a player, by the same rule, with the survivor's id of each other player.
create function ties_of(of_player bigint) returns table (other_id bigint, says text, at timestamptz)
language sql stable parallel safe
begin atomic
  select distinct on (s.survivor_id) s.survivor_id, t.says, t.at
    from tie t
   cross join lateral (
           select coalesce((select m.survivor_id from merge m where m.player_id = t.other_id), t.other_id)
                    as survivor_id
          offset 0
         ) s
   where t.player_id = any(members(of_player)) and s.survivor_id <> of_player
   order by s.survivor_id, t.says = 'block' desc, t.player_id = of_player desc, t.other_id = s.survivor_id desc,
            t.at desc, t.player_id, t.other_id;
end;

-- How many friends and sent requests a player has.
create function yes_count(of_player bigint) returns bigint language sql stable parallel safe
return (select count(*) from tie t where t.player_id = any(members(of_player)) and t.says = 'yes');

-- The friends of a player, and since when, the newest first.
create function friends_of(of_player bigint, rows_max bigint) returns table (player_id bigint, at timestamptz)
language sql stable parallel safe
begin atomic
  select t.other_id, greatest(t.at, w.at) as at
    from ties_of(of_player) t
   cross join lateral tie_said(t.other_id, of_player) w
   where t.says = 'yes' and w.says = 'yes'
   order by greatest(t.at, w.at) desc, t.other_id
   limit rows_max;
end;

-- The team that a player, or one merged with it, is in now or from tomorrow; no row if there is none.
create function team_of(of_player bigint) returns table (team_id bigint, captain boolean, first_day date)
language sql stable parallel safe
begin atomic
  select m.team_id, bool_or(m.captain), min(m.first_day)
    from member m
   where m.player_id = any(members(of_player)) and m.last_day is null
   group by m.team_id;
end;

-- Whether a day of a merged player counts for the team of another player of the same merge: several of them may have
-- been in teams on that day. Then the survivor's membership counts, else that of the smallest id.
create function is_day_of_other(of_player bigint, survivor bigint, day date) returns boolean
language sql stable parallel safe
return exists (
  select
    from member m
   where m.player_id = any(members(of_player)) and m.player_id <> of_player
     and (m.player_id = survivor or m.player_id < of_player)
     and m.first_day <= day and (m.last_day is null or m.last_day >= day)
);

-- How many players are in a team.
create function team_size(of_team bigint) returns bigint language sql stable parallel safe
return (
  select count(distinct coalesce((select g.survivor_id from merge g where g.player_id = m.player_id), m.player_id))
    from member m
   where m.team_id = of_team and m.last_day is null
);

-- Whether a game refuses a name, of which these are the skeletons: it looks like a charity's, or contains a word that
-- the game refuses.
create function is_refused_name(names text, refused_skeletons text[], skeleton text, leet_skeleton text)
returns boolean language sql stable parallel safe
return exists (select from charity c where c.name_skeleton = skeleton)
    or names = 'filtered'
       and exists (
             select
               from unnest(refused_skeletons) w (skeleton)
              where strpos(is_refused_name.skeleton, w.skeleton) > 0
                 or strpos(is_refused_name.leet_skeleton, w.skeleton) > 0);

-- What a player can still donate. Below zero when points were voided after they had been donated.
create function unspent(w wallet) returns bigint language sql immutable parallel safe
return w.earned - w.voided - w.held - w.donated;

-- What a player's secret scores earned: held or voided, and the owner is not told.
create function secret_points(of_player bigint, at timestamptz) returns table (held numeric, voided numeric)
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

-- What the owner of a score is told that its state is; null for a score that has none.
create function published_state(m score_state, at timestamptz) returns text language sql stable parallel safe
return coalesce(
  (select 'counted' from held_score h where h.player_id = m.player_id and h.id = m.id and h.secret_until > at),
  m.state);

-- The points that a player is told it can donate.
create function published_left(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return greatest(0, unspent(w) + case
  when w.secret_until > at then (select (s.held + s.voided)::bigint from secret_points(w.player_id, at) s)
  else 0
end);

-- A player's scores whose points are too new to be donated: those that count, as the player is told, and when each is
-- old enough.
create function settling_scores(of_player bigint, at timestamptz) returns table (earned bigint, settles_at timestamptz)
language sql stable parallel safe
begin atomic
  select s.earned, s.reached_at + settle_time(b)
    from score s
    join board b on b.id = s.board_id
    left join score_state m on m.player_id = s.player_id and m.id = s.id
   where s.player_id = any(members(of_player))
     and s.reached_at > at - (select max(settle_time(x)) from board x where x.kind = 'score')
     and s.reached_at + settle_time(b) > at
     -- A score that was held counts, as its player is told, for as long as it settles. With `exists` the planner would
     -- read all scores that were ever held.
     and (m.state is null
          or (select h.id from held_score h where h.player_id = s.player_id and h.id = s.id limit 1) is not null);
end;

-- The points among those that a player is told it can donate that are too new for it.
create function settling_points(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return case
  when w.settles_at > at
    then least(published_left(w, at),
               (select coalesce(sum(s.earned), 0) from settling_scores(w.player_id, at) s))::bigint
  else 0
end;

-- Where each player stands in a range of days. A best was reached when it was first posted, a sum when its last point
-- came, a latest when it came. Totals may pass 64 bits, so they are numeric.
create function window_standing_with_hidden(of_board int, first_day date, last_day date)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  select l.player_id, l.points, l.reached_at, l.points * -l.sign
    from (select t.player_id, b.sign,
                 case b.policy
                   when 'sum' then sum(t.points)
                   when 'best' then (max(t.points * b.sign) * b.sign)::numeric
                   else ((array_agg(t.points order by t.reached_at desc)
                            filter (where b.policy = 'latest'))[1])::numeric
                 end as points,
                 case b.policy
                   when 'best' then (array_agg(t.reached_at order by t.points * b.sign desc, t.reached_at)
                                       filter (where b.policy = 'best'))[1]
                   else max(t.reached_at)
                 end as reached_at
            from tally t join board b on b.id = t.board_id
           where t.board_id = of_board and t.day between first_day and last_day
           group by t.player_id, b.policy, b.sign) l;
end;

create function window_standing(of_board int, first_day date, last_day date)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  select w.player_id, w.points, w.reached_at, w.order_key
    from window_standing_with_hidden(of_board, first_day, last_day) w
   where not exists (select from player p where p.hidden and p.id = w.player_id);
end;

-- Where each team stands in a range of days: what its members made of the days of the range on which they were members,
-- by the policy of the board; of all of them, or of the best ones. On a board where low is good, a team with fewer than
-- these has no row. It was reached when the newest of what counts was. Sums stop at 64 bits.
create function team_window_standing(of_board int, first_day date, last_day date)
returns table (team_id bigint, points numeric, reached_at timestamptz, order_key numeric, members bigint)
language sql stable parallel safe
begin atomic
  with span as (
    select m.team_id, m.player_id, m.first_day, m.last_day, g.survivor_id is not null as is_merged,
           coalesce(g.survivor_id, m.player_id) as survivor_id
      from board b
      join team e on e.game_id = coalesce(b.game_id, e.game_id) and not e.hidden
      join member m on m.team_id = e.id
      left join merge g on g.player_id = m.player_id
     where b.id = of_board and m.first_day <= team_window_standing.last_day
       and (m.last_day is null or m.last_day >= team_window_standing.first_day)
  ), player_standing as (
    select s.team_id, s.survivor_id, b.sign, b.team_best,
           case b.policy
             when 'sum' then sum(t.points)
             when 'best' then (max(t.points * b.sign) * b.sign)::numeric
             else ((array_agg(t.points order by t.reached_at desc) filter (where b.policy = 'latest'))[1])::numeric
           end as points,
           case b.policy
             when 'best' then (array_agg(t.reached_at order by t.points * b.sign desc, t.reached_at)
                                 filter (where b.policy = 'best'))[1]
             else max(t.reached_at)
           end as reached_at
      from span s
      join board b on b.id = of_board
      join tally t on t.board_id = of_board and t.player_id = s.survivor_id
                  and t.day between team_window_standing.first_day and team_window_standing.last_day
                  and t.day >= s.first_day and (s.last_day is null or t.day <= s.last_day)
     where not exists (select from player p where p.hidden and p.id = s.survivor_id)
       and not (s.is_merged and is_day_of_other(s.player_id, s.survivor_id, t.day))
     group by s.team_id, s.survivor_id, b.policy, b.sign, b.team_best
  ), placed as (
    select p.team_id, p.points, p.reached_at, p.sign, coalesce(p.team_best, 0) as best,
           row_number() over (partition by p.team_id order by p.points * -p.sign, p.reached_at, p.survivor_id) as place
      from player_standing p
  )
  select c.team_id, c.points, c.reached_at, c.points * -c.sign, c.members
    from (select p.team_id, p.sign,
                 greatest(-9223372036854775807,
                          least(9223372036854775807, sum(p.points) filter (where p.best = 0 or p.place <= p.best)))
                   as points,
                 max(p.reached_at) filter (where p.best = 0 or p.place <= p.best) as reached_at,
                 count(*) as members, p.best
            from placed p
           group by p.team_id, p.sign, p.best) c
   where c.sign > 0 or c.best = 0 or c.members >= c.best;
end;

-- The scores of a player on a board, or in a range of its days, that count only in the player's own view: those that
-- wait for a decision, and those that were voided without the player knowing. Each is found by its index before
-- anything else of the player is looked at, which is what the offset is for.
create function own_posts(of_player bigint, of_board int, first_day date, last_day date, at timestamptz)
returns table (points numeric, reached_at timestamptz)
language sql stable parallel safe
begin atomic
  select c.points::numeric, c.reached_at
    from ((select m.player_id, m.id
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
   where c.board_id = of_board and (first_day is null or c.day between first_day and last_day);
end;

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
      from own_posts(of_player, of_board, own_standing.first_day, own_standing.last_day, own_standing.at) o
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

-- These move rows of players to the past ledgers, where none is lost or changed, and return how many. Only the owner
-- may delete a row of a ledger. The players' wallets are locked. Rows are found by their keys, whatever the session's
-- settings. A migration that adds a column to a ledger replaces them.
create function past_scores_move(players bigint[], before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
begin atomic
  with chosen as (
    select s.player_id, s.id
      from only score s
     where s.player_id = any(players) and s.reached_at < before
     order by s.player_id, s.reached_at
     limit rows_max
  ), gone as (
    delete from only score s using chosen c where s.player_id = c.player_id and s.id = c.id
    returning s.player_id, s.id, s.board_id, s.points, s.earned, s.no_client_id, s.played_at, s.reached_at,
              s.recorded_at, s.improved, s.day
  ), kept as (
    insert into past_score (
      player_id, id, board_id, points, earned, no_client_id, played_at, reached_at, recorded_at, improved, day)
    select g.player_id, g.id, g.board_id, g.points, g.earned, g.no_client_id, g.played_at, g.reached_at,
           g.recorded_at, g.improved, g.day
      from gone g
     order by g.player_id, g.reached_at
    returning 1
  )
  select count(*) from kept;
end;

create function past_donations_move(players bigint[], before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
begin atomic
  with chosen as (
    select d.player_id, d.id
      from only donation d
     where d.player_id = any(players) and d.reached_at < before
     order by d.player_id, d.reached_at
     limit rows_max
  ), gone as (
    delete from only donation d using chosen c where d.player_id = c.player_id and d.id = c.id
    returning d.player_id, d.id, d.charity_id, d.points, d.anonymous, d.no_client_id, d.reached_at, d.recorded_at,
              d.day, d.row_id, d.day_began_at, d.anonymised
  ), kept as (
    insert into past_donation (
      player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id, day_began_at,
      anonymised)
    select g.player_id, g.id, g.charity_id, g.points, g.anonymous, g.no_client_id, g.reached_at, g.recorded_at,
           g.day, g.row_id, g.day_began_at, g.anonymised
      from gone g
     order by g.player_id, g.reached_at
    returning 1
  )
  select count(*) from kept;
end;

revoke execute on function past_scores_move, past_donations_move from public;
