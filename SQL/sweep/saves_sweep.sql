-- saves_sweep: deletes old saves of some players. It skips players who are writing at the moment, or whose device was
-- used since saves_idle has looked.
-- $1 bigint[] players: [Player.ID]   $2 timestamptz before   $3 int = Limits.sweptRows, rows
-- returns Int32
with locked as materialized (
  select w.player_id
    from wallet w
   where w.player_id = any($1::bigint[])
     and not exists (select
                       from device d
                      where d.player_id = coalesce((select m.survivor_id from merge m where m.player_id = w.player_id),
                                                   w.player_id)
                        and (d.registered_at >= $2::timestamptz or d.seen_on >= ($2 at time zone 'UTC')::date))
   order by w.player_id
     for update skip locked
),
chosen as materialized (
  select v.player_id, v.slot, v.revision
    from save v
   where v.player_id = any(array(select l.player_id from locked l)) and v.saved_at < $2::timestamptz
   order by v.player_id, v.slot, v.revision
   limit $3::int
)
delete from save v
 using chosen c
 where v.player_id = c.player_id and v.slot = c.slot and v.revision = c.revision
returning 1
