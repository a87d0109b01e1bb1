-- donation_changeable: a donation of a player, or of those who are one with it, to a charity, the player's own first:
-- whose row it is, its state, and until when it may be taken back. Whoever was erased has none.
-- $1 bigint player   $2 uuid donation   $3 text charity slug
select d.player_id as owner_id, d.anonymous, coalesce(m.reversed, false) as reversed,
       least(d.reached_at + c.cooling_off * interval '1 minute', c.closes_at) as reversible_until
  from donation d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any(members($1)) and d.id = $2 and c.slug = $3
   and not exists (select from erasure e where e.player_id = $1)
 order by d.player_id = $1 desc, d.player_id
 limit 1
