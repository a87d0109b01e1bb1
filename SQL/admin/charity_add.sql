-- charity_add: one more charity, and the board of those who donate to it. Outcome: added, exists, name-taken, bad-zone.
-- $1 text slug: Slug   $2 text[] columns, of the charity and the zone of its board
-- $3 text[] values: [String?], one for each column   $4 timestamptz now
-- returns AdminOutcome
with wanted as materialized (
  select n.*, b.zone
    from (select jsonb_object($2::text[], $3::text[]) as settings) s
   cross join lateral jsonb_populate_record(null::charity, s.settings) n
   cross join lateral jsonb_to_record(s.settings) b(zone text)
), judged as materialized (
  select case
           when exists (select from charity c where c.slug = $1) then 'exists'
           when exists (
             select
               from charity c
              where n.name_folded in (c.name_folded, c.slug) or c.name_folded = $1
                 or c.name_skeleton = n.name_skeleton
           ) then 'name-taken'
           when not is_zone(n.zone) then 'bad-zone'
           else 'added'
         end as outcome
    from wanted n
), made_board as (
  insert into board (kind, slug, name, policy, points_min, zone, added_at)
  select 'donation', $1, n.name, 'sum', 1, n.zone, $4
    from judged j cross join wanted n
   where j.outcome = 'added'
  on conflict do nothing
  returning id
), made as (
  insert into charity (
    slug, board_id, added_at, name, name_folded, name_skeleton, url, description, goal, opens_at, closes_at,
    cooling_off, cap_day, cap_all)
  select $1, m.id, $4, n.name, n.name_folded, n.name_skeleton, n.url, n.description, n.goal, n.opens_at, n.closes_at,
         coalesce(n.cooling_off, 0), n.cap_day, n.cap_all
    from made_board m cross join wanted n
)
select case when outcome = 'added' and not exists (select from made_board) then 'exists' else outcome end from judged
