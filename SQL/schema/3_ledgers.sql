-- Ledgers: append-only, and only ids, numbers and times. Every other number can be derived from them.
-- Nobody but the owner changes or deletes a row; only a donation may be turned anonymous.

-- Rows are only added to ledgers. So many new ones are marked as visible to all, and frozen, at a time, that a vacuum
-- against wrap-around, which comes at the worst of times, has nothing left to do. Freezing a row writes 14 bytes of log
-- soon after it is added, and 119 after the next checkpoint. The article Operating has the figures.

create table score (
  player_id    bigint      not null,
  id           uuid        not null,
  board_id     integer     not null,
  points       bigint      not null,
  earned       bigint      not null,
  no_client_id boolean     not null,       -- the client sent no id, so equal rows within 60 s are one
  played_at    timestamptz,                -- what the client said; shown, never ranks
  reached_at   timestamptz not null,       -- when it arrived; unique within a batch
  recorded_at  timestamptz not null,       -- when its batch was written
  improved     boolean     not null,       -- whether it improved the player's standing when it was recorded
  day          date        not null,       -- its day in the board's zone, whatever later editions of the time zones say
  constraint score_pkey primary key (player_id, id)
) with (
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02
);
-- One index for all questions about one player's rows by time: the last 60 s, a day, and the history page by page.
-- The id is not in it, or it would be taken for the key.
create index score_player_id_reached_at_idx on score (player_id, reached_at);
-- What happened in a range of days is found by blocks, because rows are added in the order of time.
create index score_recorded_at_idx on score using brin (recorded_at) with (autosummarize = on);

-- Old rows, so that the tables and indexes to which posts are added stay small. They inherit from the ledgers, so a
-- statement that reads a ledger finds each row in one of the two places.
create table past_score (
  constraint past_score_pkey primary key (player_id, id)
) inherits (score) with (
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02
);
create index past_score_player_id_reached_at_idx on past_score (player_id, reached_at);
create index past_score_recorded_at_idx on past_score using brin (recorded_at) with (autosummarize = on);

-- The words of a score: they can be erased, so they are not in the ledger.
create table score_note (
  player_id bigint not null,
  id        uuid   not null,
  name      text,
  detail    text,
  constraint score_note_pkey primary key (player_id, id)
);

create table donation (
  player_id    bigint      not null,
  id           uuid        not null,
  charity_id   integer     not null,
  points       bigint      not null,
  anonymous    boolean     not null,
  no_client_id boolean     not null,
  reached_at   timestamptz not null,
  recorded_at  timestamptz not null,
  day          date        not null,       -- its day in the zone of the charity's board
  row_id       bigint,                     -- the random row of the donation boards where an anonymous one counts
  day_began_at timestamptz,                -- of an anonymous one: 00:00 of its day
  anonymised   boolean     not null default false, -- whether it was donated by name and turned anonymous later
  constraint donation_pkey primary key (player_id, id),
  constraint donation_points_check check (points >= 1),
  constraint donation_anonymous_check check (
    case when anonymous then row_id < 0 and row_id is not null and day_began_at is not null
         else row_id is null and day_began_at is null and not anonymised end
  )
) with (
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02
);
create index donation_player_id_reached_at_idx on donation (player_id, reached_at);
create index donation_charity_id_reached_at_idx on donation (charity_id, reached_at, id);
create index donation_charity_id_day_began_at_idx on donation (charity_id, day_began_at, row_id) where anonymous;
create index donation_recorded_at_idx on donation using brin (recorded_at) with (autosummarize = on);

create table past_donation (
  constraint past_donation_pkey primary key (player_id, id)
) inherits (donation) with (
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02
);
create index past_donation_player_id_reached_at_idx on past_donation (player_id, reached_at);
create index past_donation_charity_id_reached_at_idx on past_donation (charity_id, reached_at, id);
create index past_donation_charity_id_day_began_at_idx on past_donation (charity_id, day_began_at, row_id)
  where anonymous;
create index past_donation_recorded_at_idx on past_donation using brin (recorded_at) with (autosummarize = on);

-- One movement of points by a moderation action, or by the server as a consequence.
create table correction (
  player_id    bigint      not null,
  n            integer     not null,       -- counts the player's corrections, from 1
  kind         text        not null,
  subject      uuid        not null,       -- the score or the donation
  points       bigint      not null,
  action       uuid,                       -- null when no operator did it: a player took a donation back, points funded
                                           -- a donation again, or a rule, the game or time decided about a score
  corrected_at timestamptz not null,
  constraint correction_pkey primary key (player_id, n),
  constraint correction_kind_check check (
    kind in ('hold', 'release', 'void', 'unvoid', 'unfund', 'fund', 'reverse', 'unreverse', 'forfeit', 'unforfeit')
  ),
  constraint correction_points_check check (points >= 0)
) with (
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02
);
-- What an action moved is found by the action: its rows may belong to several players.
create index correction_action_idx on correction (action) where action is not null;
create index correction_corrected_at_idx on correction using brin (corrected_at) with (autosummarize = on);

-- The log of the operators. The hash of each entry covers the one before it, so an entry that is changed, moved or
-- left out is noticed.
create table log_entry (
  n          bigint      not null,
  logged_at  timestamptz not null,
  action     uuid,
  actor      text        not null,
  kind       text        not null,
  subject    text        not null,
  numbers    text        not null,
  words_hash bytea,                        -- salted hash of its words, which may be erased
  hash       bytea       not null,
  constraint log_entry_pkey primary key (n),
  constraint log_entry_n_check check (n >= 1),
  constraint log_entry_words_hash_check check (octet_length(words_hash) = 32),
  constraint log_entry_hash_check check (octet_length(hash) = 32)
) with (
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02
);
