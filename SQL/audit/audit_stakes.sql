-- audit_stakes: compares what each player gave for a challenge with the donations in the ledger and with the winners.
-- A player may donate under the id of a stake that gave nothing, so the audit ignores such a donation. Points that do
-- not split evenly go to the first winners; the order of the winners must be the same for all players of a challenge.
-- If a winner was erased, the split is not compared.
-- returns AuditedRows(compared, differing, example)
with share as (
  select s.player_id, s.challenge, s.charity_id, s.points,
         c.state is distinct from 'settled' or e.state is distinct from 'entered' or s.gave > 0 and d.id is null
           as differs
    from stake_share s
    left join challenge c on c.id = s.challenge
    left join entry e on e.player_id = s.player_id and e.contest = s.challenge
    left join lateral (
           select x.id
             from donation x
            where x.player_id = any(donors(s.player_id)) and x.id = s.donation and x.charity_id = s.charity_id
              and x.points = s.points
            limit 1
         ) d on true
), giver as (
  select x.player_id, x.challenge, sum(x.points)::bigint as points, bool_or(x.differs) as differs
    from share x
   group by x.player_id, x.challenge
), won as (
  select e.contest, e.charity_id, count(*) as times, sum(count(*)) over (partition by e.contest) as winners
    from entry e
   where e.won
   group by e.contest, e.charity_id
), part as (
  select g.player_id, g.challenge, w.charity_id, w.times, coalesce(x.points, 0) as points,
         g.points % c.winners as rest, coalesce(x.points, 0) - w.times * (g.points / c.winners) as more
    from giver g
    join challenge c on c.id = g.challenge
    join won w on w.contest = c.id and w.winners = c.winners
    left join share x on x.player_id = g.player_id and x.challenge = g.challenge and x.charity_id = w.charity_id
), split as (
  select p.player_id, p.challenge, sum(p.points) as points, bool_or(p.more < p.least or p.more > p.times) as differs
    from (select q.*,
                 greatest(0, max(q.more) over (partition by q.challenge, q.charity_id order by q.rest)) as least
            from part q) p
   group by p.player_id, p.challenge
), compared as (
  select g.player_id, g.challenge,
         g.differs or g.points > c.stake or c.winners = 0 or n.winners > c.winners or g.points <> s.points
         or coalesce(s.differs, false) as differs
    from giver g
    left join challenge c on c.id = g.challenge
    left join (select w.contest, max(w.winners) as winners from won w group by w.contest) n on n.contest = g.challenge
    left join split s on s.player_id = g.player_id and s.challenge = g.challenge
)
select count(*),
       count(*) filter (where differs),
       min('challenge ' || challenge || ', player ' || player_id) filter (where differs)
  from compared
