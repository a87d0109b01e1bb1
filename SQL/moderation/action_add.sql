-- action_add: adds an action that was done, and marks the one that it undoes.
-- $1 uuid action   $2 text kind   $3 bigint player   $4 uuid subject, or null   $5 timestamptz until, or null
-- $6 text asked   $7 bigint[] wallet before   $8 bigint[] wallet after   $9 bigint entry of the log
-- $10 uuid action that it undoes, or null   $11 timestamptz now   $12 bigint player into whom it merged, or null
-- $13 bigint whose row the subject is, or null   $14 bigint team, or null
with undone as (
  update moderation_action set undone_by = $1 where id = $10
)
insert into moderation_action (id, kind, player_id, subject, until, asked, before, after, n, acted_at, into_id,
                               owner_id, team_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $13, $14)
