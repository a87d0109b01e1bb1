-- players: everything a person may ask to have erased, and nothing else.
-- No foreign key leads from a player's row to another player's or away from it, so these tables can be distributed by player.

create table player (
  id             bigint  primary key constraint player_id_check check (id between 1 and 9007199254740991),
  game_id        integer not null constraint player_game_id_fkey references game,
  name           text    not null constraint player_name_check check (octet_length(name) between 1 and 1024),
  email          text    constraint player_email_check check (octet_length(email) <= 254),
  fb_uid         text    constraint player_fb_uid_check check (octet_length(fb_uid) <= 256),
  wants_updates  boolean not null default false,
  updates_since  timestamptz,                          -- when the player last asked for updates
  updates_source text,                                 -- where: the route that carried the wish
  avatar         bytea   constraint player_avatar_check check (octet_length(avatar) = 32),
  hidden         boolean not null default false,
  registered_at  timestamptz not null,
  constraint player_updates_check check (not wants_updates or (updates_since is not null and updates_source is not null))
);
create index player_hidden_idx on player (id) where hidden;                  -- few: what a rank must not count
create index player_wants_updates_idx on player (id) where wants_updates;
create index player_avatar_idx on player (avatar) where avatar is not null;

-- The hash is keyed with the installation's secret: the device id itself is nowhere.
create table device (
  hash          bytea  primary key constraint device_hash_check check (octet_length(hash) = 32),
  player_id     bigint not null,
  token_hash    bytea  constraint device_token_hash_check check (octet_length(token_hash) = 32),
  registered_at timestamptz not null
);
create index device_player_id_idx on device (player_id);

create table avatar (
  sha256   bytea primary key constraint avatar_sha256_check check (octet_length(sha256) = 32),
  png      bytea not null,
  added_at timestamptz not null
);
alter table avatar alter column png set storage external;                    -- PNG is compressed already
