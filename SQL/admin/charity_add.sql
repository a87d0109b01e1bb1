-- charity_add: one more charity, and the board of those who donate to it. Outcome: added, exists, name-taken, bad-zone.
-- $1 text slug   $2 text name   $3 text name folded   $4 text name's skeleton   $5 text url or null
-- $6 text description or null   $7 bigint goal or null   $8 timestamptz opens or null   $9 timestamptz closes or null
-- $10 text zone   $11 timestamptz now   $12 int minutes to take a donation back   $13 bigint cap of a day or null
-- $14 bigint cap in all or null
with judged as materialized (
  select case
           when exists (select from charity c where c.slug = $1) then 'exists'
           when exists (
             select from charity c where $3 in (c.name_folded, c.slug) or c.name_folded = $1 or c.name_skeleton = $4
           ) then 'name-taken'
           when not is_zone($10) then 'bad-zone'
           else 'added'
         end as outcome
), made_board as (
  insert into board (kind, slug, name, policy, points_min, zone, added_at)
  select 'donation', $1, $2, 'sum', 1, $10, $11
    from judged
   where outcome = 'added'
  on conflict do nothing
  returning id
), made as (
  insert into charity (
    slug, name, name_folded, name_skeleton, url, description, goal, opens_at, closes_at, board_id, added_at,
    cooling_off, cap_day, cap_all)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, id, $11, $12, $13, $14
    from made_board
)
select case when outcome = 'added' and not exists (select from made_board) then 'exists' else outcome end from judged
