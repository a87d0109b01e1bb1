-- audit_funding: if a player donated more than there is to spend, the newest donations are unfunded by that much. All
-- other donations are funded.
-- returns AuditedRows(compared, differing, example)
with short as materialized (
  select w.player_id, greatest(0, - unspent(w)) as points
    from wallet w
   where unspent(w) < 0
      or exists (select
                   from ledger_owner o join donation_state m on m.player_id = o.player_id
                  where o.survivor_id = w.player_id)
), recomputed as (
  select s.player_id, d.id, coalesce(m.unfunded, 0) as kept, s.points as missing, d.points,
         sum(d.points) over (partition by s.player_id order by d.reached_at desc, d.id desc, d.player_id desc)
         - d.points as newer
    from short s
    join ledger_owner o on o.survivor_id = s.player_id
    join donation d on d.player_id = o.player_id
    left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where not coalesce(m.reversed, false)
), compared as (
  select player_id, kept <> greatest(0, least(points, missing - newer)) as differs from recomputed
   union all
  select player_id, true from short s
   where points > 0 and not exists (select from recomputed p where p.player_id = s.player_id)
)
select count(*),
       count(*) filter (where differs),
       'player ' || min(player_id) filter (where differs)
  from compared
