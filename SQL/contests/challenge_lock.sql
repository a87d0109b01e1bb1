-- challenge_lock: locks a challenge that is to be settled. No row if it is, or if another process settles it.
-- $1 uuid id
-- returns stake: Int64, ties: Board.Ties
select c.stake, b.ties
  from challenge c join board b on b.id = c.board_id
 where c.id = $1 and c.settled_at is null
   for no key update of c skip locked
