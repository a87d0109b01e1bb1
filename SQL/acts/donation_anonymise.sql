-- donation_anonymise: turns a donation that was given by name into an anonymous one: it becomes a row of its own. The
-- wallet is locked.
-- $1 bigint whose row the donation is   $2 uuid donation
update donation d
   set anonymous = true, anonymised = true, row_id = anonymous_row_id(gen_random_uuid()), day = x.day,
       day_began_at = x.day::timestamp at time zone x.zone
  from (select o.player_id, o.id, b.zone, coalesce(o.day, (o.reached_at at time zone b.zone)::date) as day
          from donation o join charity c on c.id = o.charity_id join board b on b.id = c.board_id
         where o.player_id = $1 and o.id = $2 and not o.anonymous) x
 where d.player_id = x.player_id and d.id = x.id
