-- donation_anonymise: turns a donation that was donated by name into an anonymous one: it becomes a row of its own. The
-- wallet is locked.
-- $1 bigint whose row the donation is   $2 uuid donation
update donation d
   set anonymous = true, anonymised = true, row_id = anonymous_row_id(gen_random_uuid()),
       day_began_at = d.day::timestamp at time zone b.zone
  from charity c join board b on b.id = c.board_id
 where d.player_id = $1 and d.id = $2 and not d.anonymous and c.id = d.charity_id
