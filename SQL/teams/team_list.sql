-- team_list: the teams of a game, by id, hidden and closed ones too.
-- $1 text game: Slug   $2 bigint after: Team.ID   $3 int limitRows
-- returns TeamListing(id, external, name, askedName, membersCount, madeAt, closedAt, isHidden)
select t.id, t.external, t.name, t.asked_name, team_size(t.id), t.made_at, t.closed_at, t.hidden
  from game g join team t on t.game_id = g.id
 where g.slug = $1 and t.id > $2
 order by t.id
 limit $3::int
