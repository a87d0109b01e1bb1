-- team_leave: lets players, who are one, leave the teams that they are in. They are in them until the end of today; who
-- was to come tomorrow does not come. The captain is followed by the member of longest standing who may write; codes of
-- the former one end, and so does a name of the team that waits for approval. A team that everybody has left is closed.
-- The wallets of the players and the teams are locked.
-- $1 bigint[] players: [Player.ID]   $2 date today: Day   $3 timestamptz now
-- returns nothing
with gone as materialized (
  select m.player_id, m.first_day, m.team_id, m.captain
    from unnest($1::bigint[]) p (id)
   cross join lateral (
           select x.player_id, x.first_day, x.team_id, x.captain
             from member x
            where x.player_id = p.id and x.last_day is null
           offset 0
         ) m
), not_come as (
  delete from member m
   using gone g
   where m.player_id = g.player_id and m.first_day = g.first_day and g.first_day > $2::date
), ended as (
  update member m
     set last_day = $2, captain = false
    from gone g
   where m.player_id = g.player_id and m.first_day = g.first_day and g.first_day <= $2
), left_over as materialized (
  select distinct on (t.team_id) t.team_id, m.player_id, m.first_day, t.captain
    from (select g.team_id, bool_or(g.captain) as captain from gone g group by g.team_id) t
    left join lateral (
           select x.player_id, x.first_day, x.since, w.banned
             from member x join wallet w on w.player_id = x.player_id
            where x.team_id = t.team_id and x.last_day is null and x.player_id <> all($1)
           offset 0
         ) m on true
   order by t.team_id, m.banned, m.first_day, m.since, m.player_id
), followed as (
  update member m
     set captain = true
    from left_over l
   where l.captain and m.player_id = l.player_id and m.first_day = l.first_day
), changed as (
  update team t
     set closed_at = case when l.player_id is null then $3 else t.closed_at end,
         asked_name = case when not l.captain then t.asked_name end,
         asked_at = case when not l.captain then t.asked_at end
    from left_over l
   where t.id = l.team_id and (l.player_id is null or l.captain and t.asked_name is not null)
)
delete from code c using unnest($1) p (id) where c.player_id = p.id and c.kind = 'team'
