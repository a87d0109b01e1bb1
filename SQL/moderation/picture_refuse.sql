-- picture_refuse: takes a player's picture down, so that nobody has it and nobody may have it again.
-- $1 bytea picture: AvatarHash, SHA-256   $2 timestamptz now
-- returns nothing
with refused as (
  insert into refused_avatar (sha256, refused_at) values ($1, $2) on conflict (sha256) do nothing
),
taken as (
  update player p set avatar = null where p.avatar = $1 returning p.id
)
insert into former_avatar (player_id, sha256)
select t.id, a.sha256 from taken t join avatar a on a.sha256 = $1
on conflict do nothing
