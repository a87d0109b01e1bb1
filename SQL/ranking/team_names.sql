-- team_names: what some teams are called.
-- $1 bigint[] teams: [Team.ID]
-- returns team: Team.ID, name: String
select t.id, t.name from team t where t.id = any($1::bigint[])
