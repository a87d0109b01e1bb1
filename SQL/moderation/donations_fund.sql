-- donations_fund: makes the newest donations of a player unfunded as far as the wallet is short, and funds all others
-- again. The wallet is locked.
-- $1 bigint player   $2 uuid action, or null   $3 timestamptz now
with donations as (
  select d.player_id, d.id, d.points, coalesce(m.unfunded, 0) as was,
         sum(d.points) over (order by d.reached_at desc, d.id desc, d.player_id desc) - d.points as newer
    from ledger_owner o
    join donation d on d.player_id = o.player_id
    left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where o.survivor_id = $1 and not coalesce(m.reversed, false)
), changed as materialized (
  select g.player_id, g.id, g.was, greatest(0, least(g.points, - unspent(w) - g.newer))::bigint as unfunded
    from donations g join wallet w on w.player_id = $1
   where g.was <> greatest(0, least(g.points, - unspent(w) - g.newer))
), marked as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select c.player_id, c.id, c.unfunded, false from changed c where c.unfunded > 0
  on conflict (player_id, id) do update set unfunded = excluded.unfunded
), unmarked as (
  delete from donation_state m using changed c where m.player_id = c.player_id and m.id = c.id and c.unfunded = 0
)
insert into correction (player_id, n, kind, subject, points, action, corrected_at)
select c.player_id, (select coalesce(max(k.n), 0) from correction k where k.player_id = c.player_id)
                    + row_number() over (partition by c.player_id order by c.id),
       case when c.unfunded > c.was then 'unfund' else 'fund' end, c.id, abs(c.unfunded - c.was), $2, $3
  from changed c
