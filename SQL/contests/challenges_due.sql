-- challenges_due: challenges that are to be settled.
-- $1 timestamptz now   $2 int = Limits.challengesSettledAtOnce, rows
-- returns UUID
select c.id from due_challenges($1, $2) c
