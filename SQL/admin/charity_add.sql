-- charity_add: one more charity, and the board of those who donate to it. Outcome: added, exists, name-taken, bad-zone.
-- $1 text slug: Slug   $2 text[] columns, of the charity and the zone of its board
-- $3 text[] values: [String?], one for each column   $4 timestamptz now
-- returns AdminOutcome
with wanted as materialized (
  select s.settings, n.*, b.zone
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
)
select case
         when j.outcome <> 'added' then j.outcome
         when m.id is null then 'exists'
         when row_add('charity',
                      n.settings - 'zone'
                        || jsonb_build_object('slug', $1::text, 'board_id', m.id, 'added_at', $4::timestamptz),
                      false) > 0 then 'added'
       end
  from judged j cross join wanted n left join made_board m on true
