-- past_players: looks at some players in the order of their ids, and says who has rows in the ledgers from before a
-- time that are not among the past ones yet.
-- $1 bigint after: Player.ID, player before the first one   $2 timestamptz before   $3 int = Limits.sweptRows, rows
-- returns player: Player.ID, isDue: Bool
select p.id, coalesce(s.has_some, d.has_some, false) as has_past
  from (select id from player where id > $1 order by id limit $3::int) p
  left join lateral (
         select true as has_some from only score l where l.player_id = p.id and l.reached_at < $2::timestamptz limit 1
       ) s on true
  left join lateral (
         select true as has_some from only donation l where l.player_id = p.id and l.reached_at < $2 limit 1
       ) d on true
 order by p.id
