-- admin_donations: a charity's donations before one of them, the newest first. Who donated anonymously is in no row,
-- nor when on its day in the charity's zone: such a donation stands where its day begins, after those by name, and
-- those of one day in the order of their random row ids. Its client's id may have the time in it, so another one stands
-- for it.
-- $1 text charity slug   $2 timestamptz the row's time, or null   $3 uuid the row's id if it was donated by name
-- $4 bigint its row id if anonymous   $5 int rows, 1...101
-- The page is read by its indexes first, and then its players.
with page as materialized (
  (select d.player_id, d.id, d.points, null::bigint as row_id, d.reached_at as shown_at, d.recorded_at
     from donation d
    where d.charity_id = (select c.id from charity c where c.slug = $1) and not d.anonymous
      and ($2::timestamptz is null
           or (d.reached_at, d.id) < ($2, coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')))
    order by d.reached_at desc, d.id desc
    limit $5::int)
   union all
  (select d.player_id, d.id, d.points, d.row_id, d.day_began_at, d.day_began_at
     from donation d
    where d.charity_id = (select c.id from charity c where c.slug = $1) and d.anonymous
      and ($2 is null or (d.day_began_at, d.row_id) < ($2, coalesce($4::bigint, 0)))
    order by d.day_began_at desc, d.row_id desc
    limit $5)
)
select case when d.row_id is null then d.id else md5('donation ' || d.row_id)::uuid end as id, d.row_id, d.points,
       case when m.reversed then 'reversed' when m.unfunded = d.points then 'unfunded' when m.unfunded > 0 then 'part'
            else 'funded' end as state,
       case when d.row_id is null then d.player_id end,
       case when d.row_id is null then (select g.slug from player p join game g on g.id = p.game_id
                                         where p.id = d.player_id) end,
       d.recorded_at, d.shown_at
  from page d left join donation_state m on m.player_id = d.player_id and m.id = d.id
 order by d.shown_at desc, d.row_id is not null, case when d.row_id is null then d.id end desc, d.row_id desc
 limit $5
