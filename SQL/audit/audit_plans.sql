-- audit_plans: what runs of plans say they gave, by the donations of the ledger, and what plans owe the charities of
-- each player, which adds up to nothing and is less than two points of each.
-- returns AuditedRows(compared, differing, example)
with line as (
  select r.player_id, r.version, r.day, v.points, v.owed, d.points as donated,
         sum(v.share) over (partition by r.player_id, r.version, r.day) as whole
    from plan_run r
    join plan o on o.player_id = r.player_id and o.version = r.version
   cross join unnest(r.points, r.ids, r.owed, o.charity_ids, o.shares) v(points, id, owed, charity_id, share)
    left join lateral (
           select x.points
             from donation x
            where x.player_id = any(donors(r.player_id)) and x.id = v.id and x.charity_id = v.charity_id
            limit 1
         ) d on true
   where r.done_at is not null
), compared as (
  select player_id, version, day,
         bool_or(points > 0 and points is distinct from donated) or sum(owed) <> 0
         or max(abs(owed)) >= 2 * max(whole) as differs
    from line
   group by player_id, version, day
)
select count(*),
       count(*) filter (where differs),
       min('player ' || player_id || ', plan ' || version || ', ' || day) filter (where differs)
  from compared
