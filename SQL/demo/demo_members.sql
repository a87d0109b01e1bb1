-- demo_members: who is or was in the teams of the demo. Each player joins some time after it has registered and the
-- team was made. Who was in another team before leaves that one on the same day, and is in the next one from the day
-- after on.
-- $1 bigint[] players   $2 bigint[] teams   $3 bool[] captains
-- $4 bigint[] formers: [Int64?], the teams before, or null
-- $5 bigint[] joined, millionths of the time from when it could to the end
-- $6 bigint[] stayed: [Int64?], millionths of the time from then to the end, or null; null for who was in another team
-- $7 timestamptz end, of the data
-- returns nothing
with joined as (
  select v.player_id, v.team_id, v.captain, v.former_id, s.former_at, w.since,
         (w.since at time zone 'UTC')::date as day,
         ((w.since + ($7 - w.since) * (v.stayed / 1000000.0)) at time zone 'UTC')::date as last_day
    from unnest($1::bigint[], $2::bigint[], $3::bool[], $4::bigint[], $5::bigint[], $6::bigint[])
           v (player_id, team_id, captain, former_id, joined, stayed)
   cross join lateral (
           select greatest(p.registered_at, t.made_at, f.made_at) as could_at,
                  greatest(p.registered_at, f.made_at) as former_at
             from player p join team t on t.id = v.team_id left join team f on f.id = v.former_id
            where p.id = v.player_id
           offset 0                        -- found by their keys, also by a plan that was made before there were any
         ) s
   cross join lateral (select s.could_at + ($7 - s.could_at) * (v.joined / 1000000.0) as since) w
)
insert into member (player_id, first_day, last_day, team_id, captain, since)
select j.player_id, (j.former_at at time zone 'UTC')::date, j.day, j.former_id, false, j.former_at
  from joined j
 where j.former_id is not null
 union all
select j.player_id, j.day + (j.former_id is not null)::int, j.last_day, j.team_id, j.captain, j.since from joined j
