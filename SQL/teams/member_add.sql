-- member_add: puts a player into a team that it may be in: from today on, or from tomorrow on if it was in another one
-- today. Who has left the same team today is in it as before. A team that was closed is open again. The wallet of the
-- player and the team are locked.
-- $1 bigint player: Player.ID   $2 bigint team: Team.ID   $3 bool isCaptain   $4 date today: Day   $5 timestamptz now
-- returns nothing
with back as (
  update member m
     set last_day = null
   where m.player_id = any(members($1)) and m.team_id = $2 and m.last_day = $4::date
  returning m.player_id
), opened as (
  update team t set closed_at = null where t.id = $2 and t.closed_at is not null
)
insert into member (player_id, first_day, team_id, captain, since)
select $1,
       greatest($4, (select max(m.last_day) + 1 from member m where m.player_id = any(members($1)))), $2, $3, $5
 where not exists (select from back)
