-- charity_set: changes settings, but not the zone. charity_lock has run earlier in this transaction.
-- Outcome: set, stale, no-charity, name-taken, bad-times.
-- $1 text slug: Slug   $2 text[] columns   $3 text[] values: [String?], one for each column
-- $4 text version: String?, the expected version, or null for any
-- returns AdminOutcome
with judged as materialized (
  select c.id, c.board_id, s.settings, n.wanted,
         case
           when c.id is null then 'no-charity'
           when c.xmin::text || '-' || b.xmin::text <> $4::text then 'stale'
           when 'name' = any($2)
            and exists (
              select
                from charity x
               where x.id <> c.id
                 and ((n.wanted).name_folded in (x.name_folded, x.slug) or x.name_skeleton = (n.wanted).name_skeleton)
            ) then 'name-taken'
           when (n.wanted).opens_at >= (n.wanted).closes_at then 'bad-times'
           else 'set'
         end as outcome
    from (select jsonb_object($2::text[], $3::text[]) - 'zone' as settings) s
    left join (charity c join board b on b.id = c.board_id) on c.slug = $1
    left join lateral (select jsonb_populate_record(c, s.settings) as wanted) n on true
), renamed as (
  update board b
     set name = (j.wanted).name
    from judged j
   where j.outcome = 'set' and 'name' = any($2) and b.id = j.board_id
)
select case when outcome <> 'set' then outcome when row_set('charity', id, settings) then 'set' end from judged
