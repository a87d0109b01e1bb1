-- team_name_set: gives a team another name. A name that waits may be the previous one, when a rename is undone.
-- $1 bigint team: Team.ID   $2 text name   $3 bool nextWaits, whether its next name has to wait for approval
-- $4 text askedName: String?, that waits, or null   $5 timestamptz askedAt: Instant?, since when, or null
-- returns nothing
update team set name = $2, asked_name = $4, asked_at = $5, name_waits = $3 where id = $1
