-- Players, and everything that a person may ask to have erased. No foreign key leads from one player's row to another
-- player's, so these tables can be distributed by player.

create table player (
  id             bigint      not null,
  game_id        integer     not null,
  name           text        not null,               -- what everybody sees; empty once the player is erased
  email          text,
  fb_uid         text,
  wants_updates  boolean     not null default false,
  updates_since  timestamptz,                        -- when the player last asked for updates
  updates_source text,                               -- the route that carried the wish
  avatar         bytea,                              -- SHA-256 of the picture
  hidden         boolean     not null default false, -- in no ranking
  registered_at  timestamptz not null,
  country        text,                               -- ISO 3166-1
  unlisted       boolean     not null default false, -- no public profile
  asked_name     text,                               -- what the player calls itself while it waits for approval
  asked_at       timestamptz,
  name_waits     boolean     not null default false, -- whether the next name that the player chooses waits for approval
  takes_asks     boolean     not null default true,  -- whether it accepts friend requests
  flag           text collate "C",                   -- what the player shows: ISO 3166-1 or 3166-2
  flag_at        timestamptz,                        -- when the player last chose one
  constraint player_pkey primary key (id),
  constraint player_game_id_fkey foreign key (game_id) references game,
  constraint player_id_check check (id between 1 and 9007199254740991),
  constraint player_name_check check (octet_length(name) <= 1024),
  constraint player_email_check check (octet_length(email) <= 254),
  constraint player_fb_uid_check check (octet_length(fb_uid) <= 256),
  constraint player_updates_check check (
    not wants_updates or (updates_since is not null and updates_source is not null)
  ),
  constraint player_avatar_check check (octet_length(avatar) = 32),
  constraint player_country_check check (country ~ '^[A-Z]{2}$'),
  constraint player_flag_check check (flag ~ '^[A-Z]{2}(-[A-Z0-9]{1,3})?$'),
  constraint player_flag_at_check check (flag is null or flag_at is not null),
  constraint player_asked_name_check check (octet_length(asked_name) between 1 and 1024),
  constraint player_asked_at_check check ((asked_name is null) = (asked_at is null))
);
create index player_hidden_idx on player (id) where hidden;             -- few: what a rank must not count
create index player_wants_updates_idx on player (id) where wants_updates;
create index player_avatar_idx on player (avatar) where avatar is not null;
create index player_game_id_flag_idx on player (game_id, flag) where flag is not null;
create index player_asked_at_idx on player (asked_at, id) where asked_name is not null;
-- Names are compared without case. Ten million names take 400 MB here.
create index player_game_id_lower_idx on player (game_id, lower(name) text_pattern_ops);
-- The index holds four bytes of each address and not the address itself: 340 MB for ten million, where a tree takes 570
-- MB.
create index player_email_idx on player using hash (lower(email)) where email is not null;
create index player_registered_at_idx on player using brin (registered_at) with (autosummarize = on);

-- The hash is keyed with the installation's secret; the device id itself is stored nowhere.
-- A statement that deletes a device or moves it to another player adds one to that player's wallet.callers_left.
create table device (
  hash          bytea       not null,
  player_id     bigint      not null,
  token_hash    bytea,                     -- names the player alone, so no two devices share it
  registered_at timestamptz not null,      -- when it came to its player
  name          text,
  seen_on       date,
  joined_by     bytea,                     -- hash of the code that brought it, so that a retry is harmless
  merged_from   bigint,                    -- the player it came with in a merge, and goes back with when that is undone
  came_by       text,                      -- the kind of code that brought it; null: it registered by itself
  owned_since   timestamptz,               -- when the recovery code that brought it was made; null: registered_at
  constraint device_pkey primary key (hash),
  constraint device_token_hash_key unique (token_hash),
  constraint device_hash_check check (octet_length(hash) = 32),
  constraint device_token_hash_check check (octet_length(token_hash) = 32),
  constraint device_name_check check (octet_length(name) between 1 and 1024),
  constraint device_joined_by_check check (octet_length(joined_by) = 32),
  constraint device_came_by_check check (came_by in ('code', 'recovery', 'operator', 'sign-in'))
);
create index device_player_id_idx on device (player_id);

-- A code joins another device to a player, makes another player a friend, or brings it to the team of a captain. It is
-- stored as a keyed hash of itself and the game until it is used up; that of a team stays until the captain makes a new
-- one or leaves.
create table code (
  player_id  bigint      not null,
  kind       text        not null,
  hash       bytea       not null,
  device     bytea       not null,         -- hash of the device that asked for it; the code ends with that device
  made_at    timestamptz not null,
  expires_at timestamptz,
  log_entry  bigint,                       -- number of the log entry of the operator who asked; null: a device did
  uses       integer,                      -- remaining uses; null: one, or a team's
  constraint code_pkey primary key (player_id, kind),
  constraint code_kind_check check (kind in ('join', 'recovery', 'friend', 'team')),
  constraint code_hash_check check (octet_length(hash) = 32),
  constraint code_device_check check (octet_length(device) = 32),
  constraint code_uses_check check (uses >= 1)
);
create index code_hash_idx on code (hash);
create index code_expires_at_idx on code (expires_at) where expires_at is not null;

-- A player's identity at a sign-in provider. The issuer's id of the player, name and address are not stored. After a
-- merge, a player may have two of one provider.
create table identity (
  hash        bytea       not null,        -- keyed with the installation's secret: game, issuer and the issuer's id
  player_id   bigint      not null,
  provider    text        not null,        -- slug of the provider with which it was linked
  linked_at   timestamptz not null,
  used_on     date        not null,        -- last day in UTC on which a device joined with it, or it was linked
  merged_from bigint,                      -- the player it came with in a merge, and goes back with
  constraint identity_pkey primary key (hash),
  constraint identity_player_id_fkey foreign key (player_id) references player,
  constraint identity_hash_check check (octet_length(hash) = 32)
);
create index identity_player_id_idx on identity (player_id);

-- A player's tie to another player: yes, no or block. If both ties are yes, the players are friends; a single yes is a
-- friend request. Only the player's own requests change its ties. They do not move when players are merged: see
-- ties_of.
-- A statement that writes a row holds the locks of both players. Deleting rows needs the lock of either player only.
create table tie (
  player_id bigint      not null,          -- whose tie it is
  other_id  bigint      not null,
  says      text        not null,
  at        timestamptz not null,
  constraint tie_pkey primary key (player_id, other_id),
  constraint tie_player_id_fkey foreign key (player_id) references player,
  constraint tie_check check (player_id <> other_id),
  constraint tie_says_check check (says in ('yes', 'no', 'block'))
);
create index tie_other_id_idx on tie (other_id, says, at);
-- Teams of a game's players. A team that everybody has left is closed; what was earned for it stays on boards.
create table team (
  id         bigint      not null,              -- random
  game_id    integer     not null,
  external   text,                              -- what the game's server calls it; null: a player made it
  name       text        not null,              -- what everybody sees
  asked_name text,                              -- what it is to be called, while that waits for approval
  asked_at   timestamptz,
  name_waits boolean     not null default false,  -- whether its next name waits for approval
  made_at    timestamptz not null,
  closed_at  timestamptz,
  hidden     boolean     not null default false,  -- in no ranking
  constraint team_pkey primary key (id),
  constraint team_game_id_external_key unique (game_id, external),
  constraint team_game_id_fkey foreign key (game_id) references game,
  constraint team_id_check check (id between 1 and 9007199254740991),
  constraint team_external_check check (octet_length(external) between 1 and 1024),
  constraint team_name_check check (octet_length(name) between 1 and 1024),
  constraint team_asked_name_check check (octet_length(asked_name) between 1 and 1024),
  constraint team_asked_at_check check ((asked_name is null) = (asked_at is null))
);
create index team_game_id_id_idx on team (game_id, id);
create index team_open_idx on team (game_id) where closed_at is null;
create index team_asked_at_idx on team (asked_at, id) where asked_name is not null;

-- Who was in which team, on which days in UTC. A day of a player belongs to one team. Rows stay where they are when
-- players are merged: of a day on which several of them were in teams, the survivor's row counts, then that of the
-- smallest id. A statement that adds, ends or deletes a row holds the locks of its player and of its team; who is
-- captain changes under the team's lock alone.
create table member (
  player_id bigint      not null,
  first_day date        not null,
  last_day  date,                               -- null: it is in the team
  team_id   bigint      not null,
  captain   boolean     not null default false, -- of a team that a player has made: one of those who are in it
  since     timestamptz not null,
  constraint member_pkey primary key (player_id, first_day),
  constraint member_player_id_fkey foreign key (player_id) references player,
  constraint member_team_id_fkey foreign key (team_id) references team,
  constraint member_last_day_check check (last_day >= first_day),
  constraint member_captain_check check (not captain or last_day is null)
);
create unique index member_player_id_idx on member (player_id) where last_day is null;
create index member_team_id_idx on member (team_id, last_day);

-- Who has reported the name of a team.
create table team_report (
  team_id      bigint      not null,
  reporter_id  bigint      not null,
  reported_at  timestamptz not null,
  dismissed_by uuid,                            -- the moderation action that dismissed it
  source       bigint,                          -- keyed hash of the network that it came from; null: unknown
  constraint team_report_pkey primary key (team_id, reporter_id),
  constraint team_report_team_id_fkey foreign key (team_id) references team
);
create index team_report_reporter_id_idx on team_report (reporter_id);
create index team_report_waiting_idx on team_report (team_id, reported_at) where dismissed_by is null;
create index team_report_dismissed_by_idx on team_report (dismissed_by) where dismissed_by is not null;

create table avatar (
  sha256   bytea       not null,
  png      bytea       not null,
  added_at timestamptz not null,
  constraint avatar_pkey primary key (sha256),
  constraint avatar_sha256_check check (octet_length(sha256) = 32)
);
alter table avatar alter column png set storage external;  -- PNG is compressed already

-- Pictures that a player had before, while they are stored. They are deleted with the player, and with the picture.
-- A statement that changes player.avatar adds the former one here, unless the player is erased.
create table former_avatar (
  player_id bigint not null,
  sha256    bytea  not null,
  constraint former_avatar_pkey primary key (player_id, sha256),
  constraint former_avatar_player_id_fkey foreign key (player_id) references player,
  constraint former_avatar_sha256_fkey foreign key (sha256) references avatar on delete cascade
);
create index former_avatar_sha256_idx on former_avatar (sha256);

-- Pictures that were taken down. Nobody may have them again.
create table refused_avatar (
  sha256     bytea       not null,
  refused_at timestamptz not null,
  constraint refused_avatar_pkey primary key (sha256),
  constraint refused_avatar_sha256_check check (octet_length(sha256) = 32)
);

create table report (
  player_id    bigint      not null,       -- who is reported
  reporter_id  bigint      not null,
  why          text        not null,
  text         text,
  reported_at  timestamptz not null,
  dismissed_by uuid,                       -- the moderation action that dismissed it
  source       bigint,                     -- keyed hash of the network that it came from; null: unknown
  constraint report_pkey primary key (player_id, reporter_id),
  constraint report_why_check check (why in ('name', 'picture', 'cheating', 'other')),
  constraint report_text_check check (octet_length(text) between 1 and 4000)
);
create index report_reporter_id_idx on report (reporter_id, reported_at);
create index report_waiting_idx on report (player_id, reported_at, why) include (source, reporter_id)
  where dismissed_by is null;
create index report_dismissed_by_idx on report (dismissed_by) where dismissed_by is not null;
create index report_text_idx on report (player_id, reported_at, reporter_id) where text is not null;

-- What games keep for a player beside its scores, in slots, each with its newest versions.
create table save (
  player_id   bigint      not null,
  slot        text        not null,
  revision    integer     not null,        -- counts up in a slot; the highest is the current one
  etag        bytea       not null,        -- the first 16 bytes of the body's SHA-256
  body        bytea       not null,
  saved_at    timestamptz not null,
  merged_from bigint,                      -- whose it was, when it came with a merged player
  constraint save_pkey primary key (player_id, slot, revision),
  constraint save_player_id_fkey foreign key (player_id) references player,
  constraint save_slot_check check (slot ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  constraint save_revision_check check (revision >= 1),
  constraint save_etag_check check (octet_length(etag) = 16),
  constraint save_body_check check (octet_length(body) <= 65536)
);

-- Players who were merged into another player. Their ledger rows stay where they are.
-- A statement that changes or deletes a row adds one to callers_left of the former survivor's wallet.
create table merge (
  player_id   bigint      not null,
  into_id     bigint      not null,        -- the player it was merged into
  survivor_id bigint      not null,        -- into_id, or the player that one was merged into later
  action      uuid        not null,
  merged_at   timestamptz not null,
  constraint merge_pkey primary key (player_id),
  constraint merge_check check (player_id <> into_id and player_id <> survivor_id)
);
create index merge_survivor_id_idx on merge (survivor_id);

-- Erased players, by id alone, so that a restored copy can erase them again. The receipt is the id of the action.
-- The statement that adds a row deletes the player's saves, and adds one to its wallet.callers_left.
create table erasure (
  player_id bigint      not null,
  receipt   uuid        not null,
  erased_at timestamptz not null,
  constraint erasure_pkey primary key (player_id)
);
-- Only by time: each batch looks for its players by their key, and must never use this index.
create index erasure_erased_at_idx on erasure (erased_at);

-- Token hashes of erased players, for as long as their devices get the receipt as an answer.
create table erased_token (
  token_hash bytea       not null,
  receipt    uuid        not null,
  until      timestamptz not null,
  constraint erased_token_pkey primary key (token_hash),
  constraint erased_token_token_hash_check check (octet_length(token_hash) = 32)
);
create index erased_token_until_idx on erased_token (until);
