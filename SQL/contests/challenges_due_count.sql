-- challenges_due_count: how many challenges are to be settled, up to a number.
-- $1 timestamptz now   $2 int = Limits.challengesCounted, the most
-- returns Int64
select count(*) from due_challenges($1, $2)
