-- erasures_page: who was erased, by id alone, the earliest first.
-- $1 timestamptz the instant before the first   $2 bigint the player at that instant   $3 int rows, at least 1
select e.player_id, e.receipt, e.erased_at
  from erasure e
 where (e.erased_at, e.player_id) > ($1, $2)
 order by e.erased_at, e.player_id
 limit $3::int
