-- boards_followed: the boards of players whose season is played, and how they order.
-- returns FollowedBoard(id, policy, lowestFirst, isDonationBoard)
select b.id, b.policy, b.lowest_first, b.kind = 'donation'
  from board b
 where b.kind in ('score', 'donation') and b.season_ended_at is null
