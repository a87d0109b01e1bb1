-- board_find: the season that is played now of a score board, and what day it is there.
-- $1 text game slug   $2 text board slug   $3 timestamptz now
select b.id, b.kind, b.slug, b.name, b.policy, b.lowest_first, b.ties, b.zone, b.opens_at, b.closes_at, ($3::timestamptz at time zone b.zone)::date as today
  from board b join game g on g.id = b.game_id
 where b.kind = 'score' and g.slug = $1 and b.slug = $2 and b.season_ended_at is null
