-- action_newest: the last action of a kind on a player or on those who are one with it; one that is undone only if
-- there is no other.
-- $1 bigint player: Player.ID   $2 text kind   $3 uuid subject: UUID? = nil, what it was about, or null
-- returns UUID
select a.id
  from moderation_action a
 where a.player_id = any(members($1)) and a.kind = $2 and ($3::uuid is null or a.subject = $3)
 order by a.undone_by is null desc, a.n desc
 limit 1
