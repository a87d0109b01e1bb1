-- admin_donations: a charity's donations before an instant, the newest first; who gave anonymously is in no row.
-- $1 text charity slug   $2 timestamptz before, or null   $3 uuid of the row at that instant   $4 int rows, 1...101
-- The page is read by the index first, and then its players.
with page as materialized (
  select d.id, d.points, d.anonymous, d.player_id, d.recorded_at, d.reached_at
    from donation d
   where d.charity_id = (select c.id from charity c where c.slug = $1)
     and ($2::timestamptz is null or (d.reached_at, d.id) < ($2, $3::uuid))
   order by d.reached_at desc, d.id desc
   limit $4::int
)
select d.id, d.points,
       case when m.reversed then 'reversed' when m.unfunded = d.points then 'unfunded' when m.unfunded > 0 then 'part'
            else 'funded' end as state,
       d.anonymous, case when not d.anonymous then d.player_id end,
       case when not d.anonymous then (select g.slug from player p join game g on g.id = p.game_id
                                        where p.id = d.player_id) end,
       d.recorded_at, d.reached_at
  from page d left join donation_state m on m.player_id = d.player_id and m.id = d.id
 order by d.reached_at desc, d.id desc
