-- challenges_due_count: counts the challenges to settle now, up to a maximum.
-- $1 timestamptz now   $2 int = Limits.challengesCounted, the maximum
-- returns Int64
select count(*) from due_challenges($1, $2)
