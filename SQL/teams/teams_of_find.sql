-- teams_of_find: the teams that some players are in.
-- $1 bigint[] players: [Player.ID]
-- returns Team.ID
select distinct m.team_id
  from unnest($1::bigint[]) p (id)
 cross join lateral (
         select x.team_id from member x where x.player_id = p.id and x.last_day is null offset 0
       ) m
