-- challenges_sweep: deletes challenges that were settled before a time, with the answers to them.
-- $1 timestamptz before   $2 int = Limits.challengesSwept, challenges
-- returns UUID
with gone as (
  delete from challenge c
   using (select x.id from challenge x where x.settled_at < $1 order by x.settled_at limit $2::int) o
   where c.id = o.id
  returning c.id
), answers as (
  delete from entry e using gone g where e.contest = g.id
), stakes as (
  delete from stake_share s using gone g where s.challenge = g.id
)
select g.id from gone g
