-- pictures_idle: looks at some pictures in the order of their hashes, and says which nobody has that came before a
-- time.
-- $1 bytea hash before the first one, '' for the beginning   $2 timestamptz before when   $3 int rows
select a.sha256, a.added_at < $2::timestamptz and u.is_used is null as is_idle
  from (select v.sha256, v.added_at from avatar v where v.sha256 > $1 order by v.sha256 limit $3::int) a
  left join lateral (select true as is_used from player p where p.avatar = a.sha256 limit 1) u on true
 order by a.sha256
