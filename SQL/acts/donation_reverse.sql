-- donation_reverse: takes a donation back, or gives it again. What was forfeited does not come back to the player. The
-- wallet is locked.
-- $1 bigint player   $2 uuid donation   $3 bool whether it is reversed from now   $4 bigint points to forfeit
-- $5 bigint points that are forfeited no longer   $6 uuid act   $7 timestamptz now
with chosen as materialized (
  select d.id, d.points, coalesce(m.unfunded, 0) as unfunded
    from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where d.player_id = $1 and d.id = $2 and coalesce(m.reversed, false) <> $3
), marked as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select $1, c.id, 0, true from chosen c where $3
  on conflict (player_id, id) do update set unfunded = 0, reversed = true
), unmarked as (
  delete from donation_state m using chosen c where m.player_id = $1 and m.id = c.id and not $3
), movements as (
  select 1 as place, 'fund' as kind, c.unfunded as points from chosen c where $3 and c.unfunded > 0
   union all
  select 2, case when $3 then 'reverse' else 'unreverse' end, c.points from chosen c
   union all
  select 3, 'forfeit', $4::bigint from chosen c where $4 > 0
   union all
  select 4, 'unforfeit', $5::bigint from chosen c where $5 > 0
), noted as (
  insert into correction (player_id, n, kind, subject, points, act, corrected_at)
  select $1, (select coalesce(max(k.n), 0) from correction k where k.player_id = $1)
             + row_number() over (order by m.place), m.kind, $2, m.points, $6, $7
    from movements m
)
update wallet w
   set given = w.given + case when $3 then - c.points else c.points end, voided = w.voided + $4 - $5
  from chosen c
 where w.player_id = $1
