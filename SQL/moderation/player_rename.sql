-- player_rename: gives a player another name. A name that waits may be the previous one, when a rename is undone.
-- $1 bigint player   $2 text name   $3 bool whether what the player calls itself next has to wait for approval
-- $4 text name that waits, or null   $5 timestamptz since when, or null
update player set name = $2, asked_name = $4, asked_at = $5, name_waits = $3 where id = $1
