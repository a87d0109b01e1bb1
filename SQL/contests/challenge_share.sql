-- challenge_share: keeps a challenge from being settled until the transaction ends, before the next statement's
-- snapshot. The wallet of the player who answers it is locked.
-- $1 uuid id
-- returns UUID
select c.id from challenge c where c.id = $1 for share
