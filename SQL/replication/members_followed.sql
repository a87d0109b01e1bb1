-- members_followed: who was in which team, from which day on.
-- returns player: Player.ID, firstDay: Day, team: Team.ID
select m.player_id, m.first_day, m.team_id from member m
