-- bans_over: the bans whose end has come, the longest over first.
-- $1 timestamptz now   $2 int rows
-- returns UUID
select a.id
  from moderation_action a
 where a.kind = 'ban' and a.undone_by is null and a.until <= $1
 order by a.until, a.id
 limit $2::int
