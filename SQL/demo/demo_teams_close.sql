-- demo_teams_close: closes those teams of the demo that nobody is in, as the last one leaves.
-- $1 bigint[] teams   $2 timestamptz end, of the data
-- returns nothing
update team t
   set closed_at = least($2, greatest(t.made_at, (s.last_day + 1)::timestamp at time zone 'UTC'))
  from unnest($1::bigint[]) v (id)
 cross join lateral (select max(m.last_day) as last_day, bool_or(m.last_day is null) as is_open
                       from member m where m.team_id = v.id offset 0) s
 where t.id = v.id and s.is_open is not true
