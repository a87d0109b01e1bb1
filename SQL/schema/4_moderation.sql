-- Moderation: what operators, games and hold rules decided, with the words of the log.

-- Moderation actions, by the id that makes a retry harmless.
create table moderation_action (
  id        uuid        not null,
  kind      text        not null,
  player_id bigint,
  subject   uuid,                          -- the score, the donation, or the action that is undone
  until     timestamptz,                   -- when a ban ends by itself
  asked     text        not null,          -- the request without its words, to recognize a retry
  before    bigint[]    not null,          -- the wallet: earned, voided, held, given
  after     bigint[]    not null,
  n         bigint      not null,          -- the entry of the log
  undone_by uuid,
  acted_at  timestamptz not null,
  owner_id  bigint,                        -- whose row the score or the donation is
  into_id   bigint,                        -- the player into whom another one was merged
  team_id   bigint,                        -- the team that it is about, in place of a player
  constraint moderation_action_pkey primary key (id),
  constraint moderation_action_n_key unique (n)
);
create index moderation_action_player_id_n_idx on moderation_action (player_id, n);
create index moderation_action_team_id_n_idx on moderation_action (team_id, n) where team_id is not null;
create index moderation_action_until_idx on moderation_action (until) where until is not null and undone_by is null;

-- The words of a log entry. They can be erased; the entry keeps their salted hash.
create table log_words (
  n               bigint not null,
  salt            bytea  not null,
  reason          text   not null,
  name            text,                    -- the new name of a renamed player
  former          text,                    -- the name before
  former_asked    text,                    -- the name that waited for approval then
  former_asked_at timestamptz,
  former_waits    boolean,                 -- whether the player's next name had to wait
  constraint log_words_pkey primary key (n),
  constraint log_words_salt_check check (octet_length(salt) = 32)
);

-- The key with which the log hashes texts, so that a reader of the log cannot find a text by guessing. It is random and
-- not derived from the secret, because the command line changes settings without the secret.
create table log_key (
  one boolean not null default true,       -- there is one row
  key bytea   not null,
  constraint log_key_pkey primary key (one),
  constraint log_key_one_check check (one),
  constraint log_key_key_check check (octet_length(key) = 32)
);

-- Scores that do not count; all others do. It is derived from the corrections.
create table score_state (
  player_id bigint not null,
  id        uuid   not null,
  state     text   not null,
  constraint score_state_pkey primary key (player_id, id),
  constraint score_state_state_check check (state in ('held', 'voided'))
);
create index score_state_held_idx on score_state (player_id, id) where state = 'held';

-- Why a score was held. Whether it still is, score_state says.
create table held_score (
  player_id    bigint      not null,
  id           uuid        not null,
  item         uuid        not null,       -- its name in the queue
  why          text[]      not null,
  held_at      timestamptz not null,
  judge_until  timestamptz,                -- until when it waits for the game's verdict; null: it does not
  verdict      text,                       -- the game's
  judged_by    integer,                    -- the key
  judged_at    timestamptz,
  game_id      integer     not null,       -- the board's
  secret_until timestamptz not null,       -- until when the owner is not told, whatever happens to the board's settings
  constraint held_score_pkey primary key (player_id, id),
  constraint held_score_item_key unique (item),
  constraint held_score_why_check check (
    cardinality(why) >= 1 and why <@ array['above', 'rate', 'pace', 'judge', 'operator']
  ),
  constraint held_score_verdict_check check (verdict in ('clear', 'void')),
  constraint held_score_judged_check check (
    (verdict is null) = (judged_by is null) and (verdict is null) = (judged_at is null)
    and (verdict is null or judge_until is null)
  )
);
create index held_score_judge_until_idx on held_score (judge_until, item) where judge_until is not null;
create index held_score_game_id_idx on held_score (game_id, judge_until, item) where judge_until is not null;
create index held_score_secret_idx on held_score (player_id, secret_until);

-- Donations that are not fully funded; all others are. It is derived from the corrections.
create table donation_state (
  player_id bigint  not null,
  id        uuid    not null,
  unfunded  bigint  not null,
  reversed  boolean not null,
  constraint donation_state_pkey primary key (player_id, id),
  constraint donation_state_check check (unfunded > 0 and not reversed or unfunded = 0 and reversed)
);
