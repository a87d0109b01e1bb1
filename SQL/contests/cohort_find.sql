-- cohort_find: the cohort of a player in a campaign, and how many players it has room for. No row for a player who has
-- not entered.
-- $1 bigint player: Player.ID   $2 text slug: Slug
-- returns cohort: Int32, of: Int32
select e.cohort, e.room from campaign c cross join lateral cohort_entry_of($1, c.id) e where c.slug = $2
