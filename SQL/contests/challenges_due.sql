-- challenges_due: challenges to settle now.
-- $1 timestamptz now   $2 int = Limits.challengesSettledAtOnce, rows
-- returns UUID
select c.id from due_challenges($1, $2) c
