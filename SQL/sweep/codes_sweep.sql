-- codes_sweep: deletes codes of devices that have been no good since before a time. One that is being replaced is left.
-- $1 timestamptz before   $2 int = Limits.sweptRows, rows
-- returns Int32
with chosen as (
  select c.player_id, c.kind
    from code c
   where c.expires_at < $1::timestamptz
   order by c.expires_at
   limit $2::int
     for update skip locked
)
delete from code c using chosen o where c.player_id = o.player_id and c.kind = o.kind returning 1
