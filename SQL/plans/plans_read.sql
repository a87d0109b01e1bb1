-- plans_read: the plans of some players as they are run: what may be donated, what each is about, and which day its run
-- is of. The players' wallets are locked. One whose day's books are not closed is left out.
-- $1 bigint[] players: [Player.ID]   $2 timestamptz now
-- returns DuePlan
select o.player_id, o.version, o.charity_ids, o.shares, o.keep,
       case
         when w.merged then 'merged'
         when w.banned then 'banned'
         when not g.plans then 'off'
       end as skip,
       least(unspent(w), published_left(w, $2) - settling_points(w, $2)) as ready, r.owed, n.day as next_day,
       plan_day_before(o.every, n.day) as day
  from plan o
  join wallet w on w.player_id = o.player_id
  join player p on p.id = o.player_id
  join effective_game g on g.id = p.game_id
 cross join (select max(b.day) as day from book_day b) k
 cross join lateral (select plan_day(o.every, k.day + 1) as day) n
  left join lateral (
         select x.owed
           from plan_run x
          where x.player_id = o.player_id and x.version = o.version
          order by x.day desc
          limit 1
       ) r on true
 where o.player_id = any($1::bigint[]) and o.until is null and o.next_day <= k.day
   -- What the last run gave has to be known first.
   and not exists (select from plan_run x
                    where x.player_id = o.player_id and x.version = o.version and x.done_at is null)
 order by o.player_id
