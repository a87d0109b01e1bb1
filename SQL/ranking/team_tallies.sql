-- team_tallies: what the members of some teams made of the days of a range on which they were members, day by day, as
-- team_window_standing adds it up. Each day of each member is looked up by its key.
-- $1 int board: Board.ID   $2 date firstDay: Day   $3 date lastDay: Day   $4 bigint[] teams: [Team.ID]
-- returns TeamTally(team, player, points, reachedAt)
select s.team_id, s.survivor_id, t.points, t.reached_at
  from (select m.team_id, m.player_id, m.survivor_id, greatest(m.first_day, $2) as first_day,
               least(m.last_day, $3) as last_day
          from board b
         cross join unnest($4::bigint[]) a (id)
         cross join lateral (
                 select e.id, e.game_id from team e where e.id = a.id and not e.hidden offset 0
               ) e
          join effective_game g on g.id = e.game_id and g.teams <> 'off'
         cross join lateral (
                 select x.team_id, x.player_id, x.first_day, x.last_day,
                        coalesce((select g.survivor_id from merge g where g.player_id = x.player_id), x.player_id)
                          as survivor_id
                   from member x
                  where x.team_id = e.id
                 offset 0
               ) m
         where b.id = $1 and e.game_id = coalesce(b.game_id, e.game_id)) s
 cross join lateral generate_series(s.first_day::timestamp, s.last_day::timestamp, interval '1 day') d (day)
 cross join lateral (
         select x.points, x.reached_at
           from tally x
          where x.board_id = $1 and x.day = d.day::date and x.player_id = s.survivor_id
         offset 0
       ) t
 where not (select p.hidden from player p where p.id = s.survivor_id)
   and not (s.player_id <> s.survivor_id and is_day_of_other(s.player_id, s.survivor_id, d.day::date))
