-- plans_due: whose plans are to run, after one of them: those whose day's books are closed, the earliest day first.
-- $1 date afterDay: Day?   $2 bigint afterPlayer: Player.ID?   $3 int = Limits.planRunsAtOnce, rows
-- returns player: Player.ID, day: Day
select o.player_id, o.next_day
  from plan o
 where o.until is null
   and o.next_day <= (select max(b.day) from book_day b)
   and ($1::date is null or (o.next_day, o.player_id) > ($1, $2::bigint))
 order by o.next_day, o.player_id
 limit $3::int
