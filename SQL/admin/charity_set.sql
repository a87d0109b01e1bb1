-- charity_set: changes settings, but not the zone. charity_lock has run earlier in this transaction.
-- Outcome: set, stale, no-charity, name-taken, bad-times.
-- $1 text slug: Slug   $2 text[] columns   $3 text[] values: [String?], one for each column
-- $4 text version: String?, the expected version, or null for any
-- returns AdminOutcome
with judged as materialized (
  select c.id, c.board_id, n.wanted,
         case
           when c.id is null then 'no-charity'
           when c.xmin::text || '-' || b.xmin::text <> $4::text then 'stale'
           when 'name' = any($2::text[])
            and exists (
              select
                from charity x
               where x.id <> c.id
                 and ((n.wanted).name_folded in (x.name_folded, x.slug) or x.name_skeleton = (n.wanted).name_skeleton)
            ) then 'name-taken'
           when (n.wanted).opens_at >= (n.wanted).closes_at then 'bad-times'
           else 'set'
         end as outcome
    from (select 1) one
    left join (charity c join board b on b.id = c.board_id) on c.slug = $1
    left join lateral (select jsonb_populate_record(c, jsonb_object($2, $3::text[])) as wanted) n on true
), renamed as (
  update board b
     set name = (j.wanted).name
    from judged j
   where j.outcome = 'set' and 'name' = any($2) and b.id = j.board_id
), changed as (
  update charity c
     set (name, name_folded, name_skeleton, url, description, goal, opens_at, closes_at, cooling_off, cap_day, cap_all)
       = ((j.wanted).name, (j.wanted).name_folded, (j.wanted).name_skeleton, (j.wanted).url, (j.wanted).description,
          (j.wanted).goal, (j.wanted).opens_at, (j.wanted).closes_at, (j.wanted).cooling_off, (j.wanted).cap_day,
          (j.wanted).cap_all)
    from judged j
   where j.outcome = 'set' and c.id = j.id
)
select outcome from judged
