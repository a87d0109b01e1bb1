-- charity_close: takes no more donations from now on, also if it was to open later. Outcome: set, no-charity.
-- $1 text slug: Slug   $2 timestamptz now
-- returns AdminOutcome
with changed as (
  update charity
     set closes_at = least(closes_at, $2),
         opens_at = case when opens_at < least(closes_at, $2) then opens_at end
   where slug = $1
  returning id
)
select case when exists (select from changed) then 'set' else 'no-charity' end
