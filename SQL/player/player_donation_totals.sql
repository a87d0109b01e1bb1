-- player_donation_totals: what a player donated to each charity, and what of it anonymously, as only the player may
-- see. What was donated anonymously is added up from the ledger. So it is left out where the player, and those who are
-- one with it, have more donations than may be read.
-- $1 bigint player: Player.ID   $2 bool withAnonymous, the anonymous ones too
-- $3 int = Limits.ownDonationsAddedUp, donations that are read, at most
-- returns DonationTotal(charity, points, isAnonymous)
with own as materialized (
  select d.player_id, d.id, d.charity_id, d.points, d.anonymous
    from unnest(members($1)) o(player_id)
   cross join lateral (
           select r.player_id, r.id, r.charity_id, r.points, r.anonymous
             from donation r
            where r.player_id = o.player_id
            order by r.reached_at
            limit $3::int + 1
         ) d
   where $2::bool
   limit $3::int + 1
)
select c.slug, x.points, x.anonymous
  from (select c.id, s.points, false as anonymous
          from charity c join standing s on s.board_id = c.board_id and s.player_id = $1
         union all
        select d.charity_id, sum(d.points - coalesce(m.unfunded, 0))::bigint, true
          from own d
          left join lateral (
                 select s.unfunded, s.reversed
                   from donation_state s
                  where s.player_id = d.player_id and s.id = d.id
                 offset 0
               ) m on true
         where d.anonymous and (select count(*) from own) <= $3
           and not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0)
         group by d.charity_id) x
  join charity c on c.id = x.id
 order by c.slug, x.anonymous
