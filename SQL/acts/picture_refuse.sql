-- picture_refuse: takes a player's picture down, so that nobody has it and nobody may have it again.
-- $1 bytea SHA-256   $2 timestamptz now
with refused as (
  insert into refused_avatar (sha256, refused_at) values ($1, $2) on conflict (sha256) do nothing
)
update player set avatar = null where avatar = $1
