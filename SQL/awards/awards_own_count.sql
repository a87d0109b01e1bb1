-- awards_own_count: how many awards a player has, and the newest one, as its own profile says it.
-- $1 bigint player: Player.ID
-- returns count: Int64, newest: Slug?
select count(distinct w.award_id),
       (select a.slug
          from awards_of($1) n join award a on a.id = n.award_id
         order by n.given_at desc, a.slug
         limit 1)
  from awards_of($1) w
