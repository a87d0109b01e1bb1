-- friend_code_find: the player of a friend code. A code that two players have by chance is not found.
-- $1 bytea code: CodeHash   $2 timestamptz now
-- returns Player.ID?
select min(c.player_id)
  from code c
 where c.hash = $1 and c.kind = 'friend' and c.expires_at > $2
having count(*) = 1
