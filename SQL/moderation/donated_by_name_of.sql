-- donated_by_name_of: what players who are one donated by name and did not take back; and how many of the voided points
-- were made of anonymous donations. Sums without what was donated anonymously are made of these, so that no subtraction
-- tells it. They are those of now, or of the moment of an action, as far as donations are not anonymous by now.
-- $1 bigint[] players   $2 bigint the last entry of the log that counts, or null for now
-- $3 timestamptz when the action was done, or null for now
with movements as materialized (
  select k.player_id, k.subject as id,
         sum(case k.kind when 'reverse' then 1 when 'unreverse' then -1 end) > 0 as is_reversed,
         coalesce(sum(case k.kind when 'forfeit' then k.points when 'unforfeit' then - k.points end), 0) as forfeited
    from correction k
   where k.player_id = any($1::bigint[])
     and k.kind in ('reverse', 'unreverse', 'forfeit', 'unforfeit')
     and ($2::bigint is null
          or case
               -- Only a player's own taking back is by no action.
               when k.action is null then k.corrected_at <= $3::timestamptz
               else (select a.n from moderation_action a where a.id = k.action) <= $2
             end)
   group by k.player_id, k.subject
)
select (coalesce((select sum(d.points)
                    from donation d
                   where d.player_id = any($1) and not d.anonymous and ($3 is null or d.recorded_at <= $3)), 0)
        - coalesce(sum(d.points) filter (where not d.anonymous and m.is_reversed), 0))::bigint as donated,
       coalesce(sum(m.forfeited) filter (where d.anonymous), 0)::bigint as forfeited
  from movements m
 cross join lateral (
         select x.points, x.anonymous
           from donation x
          where x.player_id = m.player_id and x.id = m.id and ($3 is null or x.recorded_at <= $3)
         offset 0                          -- found by its key: few donations were ever reversed
       ) d
