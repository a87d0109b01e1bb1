-- charity_set: changes what is not null. charity_lock has run earlier in this transaction.
-- Outcome: set, stale, no-charity, name-taken, bad-times.
-- $1 text slug   $2 text name   $3 text name folded   $4 text name's skeleton   $5 text url, '' clears
-- $6 text description, '' clears   $7 bool set goal   $8 bigint goal   $9 bool set opens   $10 timestamptz opens
-- $11 bool set closes   $12 timestamptz closes   $13 text version that it must have, or null for any
-- $14 int minutes to take a donation back, or null   $15 bool set cap of a day   $16 bigint cap of a day
-- $17 bool set cap in all   $18 bigint cap in all
with judged as materialized (
  select c.id, c.board_id,
         case
           when c.id is null then 'no-charity'
           when c.xmin::text || '-' || b.xmin::text <> $13::text then 'stale'
           when $3::text is not null
            and exists (
              select from charity x where x.id <> c.id and ($3 in (x.name_folded, x.slug) or x.name_skeleton = $4)
            ) then 'name-taken'
           when case when $9 then $10::timestamptz else c.opens_at end
                >= case when $11 then $12::timestamptz else c.closes_at end then 'bad-times'
           else 'set'
         end as outcome
    from (select 1) one left join (charity c join board b on b.id = c.board_id) on c.slug = $1
), renamed as (
  update board b
     set name = $2::text
    from judged j
   where j.outcome = 'set' and $2::text is not null and b.id = j.board_id
), changed as (
  update charity c
     set name = coalesce($2::text, c.name),
         name_folded = coalesce($3::text, c.name_folded),
         name_skeleton = coalesce($4, c.name_skeleton),
         url = case when $5::text is null then c.url else nullif($5, '') end,
         description = case when $6::text is null then c.description else nullif($6, '') end,
         goal = case when $7 then $8 else c.goal end,
         opens_at = case when $9 then $10 else c.opens_at end,
         closes_at = case when $11 then $12 else c.closes_at end,
         cooling_off = coalesce($14, c.cooling_off),
         cap_day = case when $15 then $16 else c.cap_day end,
         cap_all = case when $17 then $18 else c.cap_all end
    from judged j
   where j.outcome = 'set' and c.id = j.id
)
select outcome from judged
