-- devices: what a player's devices are called and when they were seen, codes that bring a device to a player, players
-- who keep their profile to themselves, and reports of players.
-- compatible since: 21
alter table device
  add column name      text,
  add column seen_on   date,
  add column joined_by bytea,
  add constraint device_name_check check (octet_length(name) between 1 and 1024),
  add constraint device_joined_by_check check (octet_length(joined_by) = 32);
comment on column device.registered_at is 'when it came to its player';
comment on column device.joined_by is 'hash of the code that brought it there, so that the same call again is harmless';
create index device_player_id_idx on device (player_id);

alter table player add column unlisted boolean not null default false;

-- A code is kept as a keyed hash of itself and the game, until a device has joined by it.
create table code (
  player_id  bigint not null,
  kind       text   not null constraint code_kind_check check (kind in ('join', 'recovery')),
  hash       bytea  not null constraint code_hash_check check (octet_length(hash) = 32),
  device     bytea  not null constraint code_device_check check (octet_length(device) = 32),
  made_at    timestamptz not null,
  expires_at timestamptz,
  constraint code_pkey primary key (player_id, kind)
);
comment on column code.device is 'hash of the device that asked for it, with which it ends';
create index code_hash_idx on code (hash);

create table report (
  player_id   bigint not null,
  reporter_id bigint not null,
  why         text   not null constraint report_why_check check (why in ('name', 'picture', 'cheating', 'other')),
  text        text   constraint report_text_check check (octet_length(text) between 1 and 4000),
  reported_at timestamptz not null,
  constraint report_pkey primary key (player_id, reporter_id)
);
comment on column report.player_id is 'who is reported';
create index report_reporter_id_idx on report (reporter_id, reported_at);
