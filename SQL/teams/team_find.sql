-- team_find: a team of a game as everybody sees it.
-- $1 text game: Slug   $2 bigint team: Team.ID   $3 bool withHidden, hidden ones too
-- returns Team
select t.id, t.name, team_size(t.id), t.made_at, t.closed_at, g.team_rosters = 'public'
  from effective_game g join team t on t.game_id = g.id
 where g.slug = $1 and t.id = $2 and ($3 or not t.hidden) and g.teams <> 'off'
