-- saves_sweep: deletes old saves of some players. It skips players who are writing at the moment.
-- $1 bigint[] players   $2 timestamptz before when   $3 int rows
with locked as materialized (
  select w.player_id
    from wallet w
   where w.player_id = any($1::bigint[])
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
