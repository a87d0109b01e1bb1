-- team_found: what a team is called, and the name that waits.
-- $1 bigint team: Team.ID
-- returns name: String, askedName: String?, askedAt: Instant?, nextWaits: Bool
select t.name, t.asked_name, t.asked_at, t.name_waits from team t where t.id = $1
