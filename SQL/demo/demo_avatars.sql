-- demo_avatars: pictures that many players share.
-- $1 bytea[] SHA-256s   $2 bytea[] PNGs   $3 timestamptz now
insert into avatar (sha256, png, added_at)
select v.sha256, v.png, $3
  from unnest($1::bytea[], $2::bytea[]) v(sha256, png)
on conflict (sha256) do nothing
