-- player_donations: a player's own donations before an instant, the newest first.
-- $1 bigint player   $2 timestamptz before, or null   $3 uuid of the donation at that instant   $4 int rows, 1...101
select d.id, c.slug, d.points, d.anonymous, d.reached_at, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from ledger_owner o
 cross join lateral (
         select r.*
           from donation r
          where r.player_id = o.player_id and ($2::timestamptz is null or (r.reached_at, r.id) < ($2, $3::uuid))
          order by r.reached_at desc, r.id desc
          limit $4::int
       ) d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where o.survivor_id = $1
 order by d.reached_at desc, d.id desc
 limit $4::int
