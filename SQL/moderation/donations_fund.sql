-- donations_fund: makes the newest donations of a player unfunded as far as the wallet is short, and funds all others
-- again. The wallet is locked.
-- $1 bigint player: Player.ID   $2 uuid action: UUID?   $3 timestamptz now
-- returns nothing
with donations as (
  select d.player_id, d.id, d.points, coalesce(m.unfunded, 0) as was, m.place,
         sum(d.points) over (order by d.reached_at desc, d.id desc, d.player_id desc) - d.points as newer
    from ledger_owner o
    join donation d on d.player_id = o.player_id
    left join lateral (
           select x.unfunded, x.reversed, x.ctid as place
             from donation_state x
            where x.player_id = d.player_id and x.id = d.id
           offset 0                        -- found by its key, also by a plan that was made before there was any
         ) m on true
   where o.survivor_id = $1 and not coalesce(m.reversed, false)
), changed as materialized (
  select g.player_id, g.id, g.was, g.place, greatest(0, least(g.points, - unspent(w) - g.newer))::bigint as unfunded
    from donations g join wallet w on w.player_id = $1
   where g.was <> greatest(0, least(g.points, - unspent(w) - g.newer))
), marked as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select c.player_id, c.id, c.unfunded, false from changed c where c.unfunded > 0
  on conflict (player_id, id) do update set unfunded = excluded.unfunded
), unmarked as (
  -- By their places, because a join with all that changed could run for each row.
  delete from donation_state m where m.ctid = any(array(select c.place from changed c where c.unfunded = 0))
), numbered as materialized (
  -- Once for each player: asked for each row, it would step over all rows that this statement has added.
  select p.player_id,
         (select coalesce(max(k.n), 0) from correction k where k.player_id = p.player_id) as newest
    from (select distinct c.player_id from changed c) p
)
insert into correction (player_id, n, kind, subject, points, action, corrected_at)
select c.player_id, (select f.newest from numbered f where f.player_id = c.player_id)
                    + row_number() over (partition by c.player_id order by c.id),
       case when c.unfunded > c.was then 'unfund' else 'fund' end, c.id, abs(c.unfunded - c.was), $2, $3
  from changed c
