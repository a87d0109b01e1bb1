-- player_donations_newer: the nearest of a player's own donations after an instant, the oldest first.
-- $1 bigint player   $2 timestamptz after   $3 uuid of the donation at that instant   $4 int rows, 1...101
select d.id, c.slug, d.points, d.anonymous, d.reached_at, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from ledger_owner o
 cross join lateral (
         select r.*
           from donation r
          where r.player_id = o.player_id and (r.reached_at, r.id) > ($2, $3)
          order by r.reached_at, r.id
          limit $4::int
       ) d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where o.survivor_id = $1
 order by d.reached_at, d.id
 limit $4::int
