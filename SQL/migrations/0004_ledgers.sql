-- ledgers: append-only, ids and numbers and times; every other number can be derived from them again.

create table score (
  player_id   bigint  not null,
  id          uuid    not null,
  board_id    integer not null,
  points      bigint  not null,
  earned      bigint  not null constraint score_earned_check check (earned >= 0),
  idless      boolean not null,            -- the client sent no id of its own, so equal rows within 60 s are one
  played_at   timestamptz,                 -- what the client said; shown, never ranks
  reached_at  timestamptz not null,        -- when it arrived; unique within a batch
  recorded_at timestamptz not null,        -- when its batch was written
  constraint score_pkey primary key (player_id, id)
);
create index score_player_id_board_id_reached_at_idx on score (player_id, board_id, reached_at);

-- The words of a score: erasable, so not in the ledger.
create table score_note (
  player_id bigint not null,
  id        uuid   not null,
  name      text,
  detail    text,
  constraint score_note_pkey primary key (player_id, id)
);

create table donation (
  player_id   bigint  not null,
  id          uuid    not null,
  charity_id  integer not null,
  points      bigint  not null constraint donation_points_check check (points >= 1),
  anonymous   boolean not null,
  idless      boolean not null,
  reached_at  timestamptz not null,
  recorded_at timestamptz not null,
  constraint donation_pkey primary key (player_id, id)
);
create index donation_player_id_charity_id_reached_at_idx on donation (player_id, charity_id, reached_at);
