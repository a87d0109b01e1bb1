-- challenge_settle: settles a challenge that challenge_lock has locked in this transaction: who has won, and what each
-- player gives to which charity.
-- $1 uuid id   $2 text state: ChallengeState   $3 timestamptz now
-- $4 bigint[] winners: [Player.ID], players of `entry`, as in the next list
-- $5 bigint[] givers: [Player.ID]   $6 int[] charities   $7 bigint[] points   $8 uuid[] donations, in the same order
-- returns nothing
with settled as (
  update challenge c set state = $2, settled_at = $3, winners = cardinality($4::bigint[]) where c.id = $1
), entries as (
  update entry e set settled_at = $3, won = e.player_id = any($4::bigint[]) where e.contest = $1
)
insert into stake_share (player_id, challenge, charity_id, points, donation)
select v.player_id, $1, v.charity_id, v.points, v.donation
  from unnest($5::bigint[], $6::int[], $7::bigint[], $8::uuid[]) v (player_id, charity_id, points, donation)
