-- rollups: kept in the ledger's own transaction, under the wallet's lock, and proved by `audit`.

-- Its row is the lock for all that is the player's. 2^53-1 is the most a wallet can earn, so that every balance is exact in JSON.
create table wallet (
  player_id bigint primary key,
  earned    bigint not null default 0 constraint wallet_earned_check check (earned between 0 and 9007199254740991),
  voided    bigint not null default 0 constraint wallet_voided_check check (voided >= 0),
  held      bigint not null default 0 constraint wallet_held_check check (held >= 0),
  given     bigint not null default 0 constraint wallet_given_check check (given >= 0),
  constraint wallet_spendable_check check (voided::numeric + held <= earned)
);

create table tally (
  board_id   integer not null,
  day        date    not null,             -- in the board's zone
  player_id  bigint  not null,
  points     bigint  not null,
  reached_at timestamptz not null,
  constraint tally_pkey primary key (board_id, day, player_id)
);
alter table tally replica identity full;   -- a sum over days must be able to take the old value out

create table standing (
  board_id     integer not null,
  player_id    bigint  not null,
  points       bigint  not null,
  reached_at   timestamptz not null,
  lowest_first boolean not null,           -- the board's
  order_key    bigint  not null generated always as (case when lowest_first then points else - points end) stored,  -- smaller is better
  constraint standing_pkey primary key (board_id, player_id),
  constraint standing_points_check check (points > -9223372036854775808)
);
create index standing_place_idx on standing (board_id, order_key, reached_at, player_id);   -- the one total order
