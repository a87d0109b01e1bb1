-- team_roster: the players who are in a team, the captain first, then by how long they are in it. Hidden ones are left
-- out.
-- $1 bigint team: Team.ID   $2 bool withUnlisted, unlisted ones too, as members see each other
-- $3 bigint = Limits.rosterRowsMax, rows
-- returns TeamMember
select p.id, p.name, p.avatar, p.flag, m.captain
  from (select s.player_id, bool_or(s.captain) as captain, min(s.first_day) as first_day, min(s.since) as since
          from (select coalesce((select g.survivor_id from merge g where g.player_id = x.player_id), x.player_id)
                         as player_id, x.captain, x.first_day, x.since
                  from member x
                 where x.team_id = $1 and x.last_day is null
                offset 0) s
         group by s.player_id) m
 cross join lateral (
         select q.id, q.name, q.avatar, q.flag
           from shown_player q
          where q.id = m.player_id and not q.hidden and q.name <> ''
            and ($2 or not exists (select from player u where u.id = q.id and u.unlisted))
         offset 0
       ) p
 order by m.captain desc, m.first_day, m.since, m.player_id
 limit $3
