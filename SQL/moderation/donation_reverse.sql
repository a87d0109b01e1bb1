-- donation_reverse: takes a donation back, or donates it again. What was forfeited does not come back to the player.
-- The wallet is locked.
-- $1 bigint player whose wallet it is   $2 bigint whose row the donation is   $3 uuid donation
-- $4 bool whether it is reversed from now   $5 bigint points to forfeit   $6 bigint points that are forfeited no longer
-- $7 uuid action, or null when the player does it   $8 timestamptz now
with chosen as materialized (
  select d.player_id, d.id, d.points, coalesce(m.unfunded, 0) as unfunded
    from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where d.player_id = $2 and d.id = $3 and coalesce(m.reversed, false) <> $4
), marked as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select c.player_id, c.id, 0, true from chosen c where $4
  on conflict (player_id, id) do update set unfunded = 0, reversed = true
), unmarked as (
  delete from donation_state m using chosen c where m.player_id = c.player_id and m.id = c.id and not $4
), movements as (
  select 1 as place, 'fund' as kind, c.unfunded as points from chosen c where $4 and c.unfunded > 0
   union all
  select 2, case when $4 then 'reverse' else 'unreverse' end, c.points from chosen c
   union all
  select 3, 'forfeit', $5::bigint from chosen c where $5 > 0
   union all
  select 4, 'unforfeit', $6::bigint from chosen c where $6 > 0
), noted as (
  insert into correction (player_id, n, kind, subject, points, action, corrected_at)
  select $2, (select coalesce(max(k.n), 0) from correction k where k.player_id = $2)
             + row_number() over (order by m.place), m.kind, $3, m.points, $7, $8
    from movements m
)
update wallet w
   set donated = w.donated + case when $4 then - c.points else c.points end, voided = w.voided + $5 - $6
  from chosen c
 where w.player_id = $1
