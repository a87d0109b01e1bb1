-- cohort_read: the players of a player's cohort, each as its survivor. No row if the player has not entered.
-- $1 bigint player: Player.ID   $2 text slug: Slug
-- returns Player.ID
select s.id
  from campaign c
 cross join lateral (select cohort_of($1, c.id) as cohort offset 0) own
 cross join lateral (
         select distinct coalesce((select g.survivor_id from merge g where g.player_id = m.player_id), m.player_id)
                           as id
           from cohort_member m
          where m.campaign_id = c.id and m.cohort = own.cohort
         offset 0
       ) s
 where c.slug = $2 and cohort_of(s.id, c.id) = own.cohort
 order by s.id
