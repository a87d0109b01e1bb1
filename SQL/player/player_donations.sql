-- player_donations: a player's own donations on one side of an instant, with everything that is kept of them, the
-- nearest first: those after it, or those before.
-- $1 bigint player   $2 bool after   $3 timestamptz instant, or null for all
-- $4 uuid of the donation at that instant   $5 int rows
select d.id, c.slug, d.points, d.anonymous, d.reached_at, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed, d.recorded_at
  from ledger_owner o
 cross join lateral (
         (select r.*
            from donation r
           where $2 and r.player_id = o.player_id
             and (r.reached_at, r.id) > (coalesce($3::timestamptz, '-infinity'), $4)
           order by r.reached_at, r.id
           limit $5::int)
          union all
         (select r.*
            from donation r
           where not $2 and r.player_id = o.player_id
             and (r.reached_at, r.id) < (coalesce($3::timestamptz, 'infinity'), $4)
           order by r.reached_at desc, r.id desc
           limit $5::int)
       ) d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where o.survivor_id = $1
 order by case when $2 then d.reached_at end, case when $2 then d.id end, d.reached_at desc, d.id desc
 limit $5::int
