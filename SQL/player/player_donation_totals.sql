-- player_donation_totals: what a player gave to each charity, and what of it anonymously, as only the player may see.
-- $1 bigint player   $2 bool the anonymous ones too
select c.slug, x.points, x.anonymous
  from (select c.id, s.points, false as anonymous
          from charity c join standing s on s.board_id = c.board_id and s.player_id = $1
         union all
        select d.charity_id, sum(d.points)::bigint, true
          from funded_donation d
         where $2::bool and d.player_id = any(members($1)) and d.row_id is not null
         group by d.charity_id) x
  join charity c on c.id = x.id
 order by c.slug, x.anonymous
