-- forfeit_newest: the newest action that took a donation of a player back and voided its points, if the donation is
-- still taken back.
-- $1 bigint player: Player.ID
-- returns UUID
select c.action
  from correction c join donation_state m on m.player_id = c.player_id and m.id = c.subject and m.reversed
 where c.player_id = any(members($1)) and c.kind = 'forfeit' and c.action is not null
 order by c.corrected_at desc, c.n desc
 limit 1
