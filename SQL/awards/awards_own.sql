-- awards_own: all awards of a player's game, by slug, with when the player got each last, and how often.
-- $1 bigint player: Player.ID
-- returns OwnAwardRow
select a.id, a.slug, a.name, a.text, a.rule, a.at_least, a.board_slug, a.season, a.contest, a.by_day,
       a.secret, w.given_at, w.occasion, coalesce(w.times, 0)
  from player p
  join award a on a.game_id = p.game_id
  left join (select o.award_id, max(o.given_at) as given_at,
                    (array_agg(o.occasion order by o.given_at desc, o.occasion desc))[1] as occasion, count(*) as times
               from awards_of($1) o
              group by o.award_id) w on w.award_id = a.id
 where p.id = $1
 order by a.slug
