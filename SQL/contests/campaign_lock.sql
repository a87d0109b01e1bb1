-- campaign_lock: lets changes of a campaign wait for each other, before the next statement's snapshot.
-- $1 text slug: Slug
-- returns Int32
select c.id from campaign c where c.slug = $1 for no key update
