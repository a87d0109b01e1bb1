-- books: what had been earned and given by the end of each day in UTC. A day is closed once, when it is over, and never
-- changes afterwards.
-- compatible since: 21
-- Servers of before close no days; the first one of now closes all that are over.
create table book_day (
  day       date        not null,
  earned    numeric     not null,          -- sums may pass 64 bits
  voided    numeric     not null,
  held      numeric     not null,
  given     numeric     not null,          -- without donations that were reversed
  unfunded  numeric     not null,
  log_n     bigint      not null,          -- the last entry of the log; 0 when there was none
  log_hash  bytea       not null,
  closed_at timestamptz not null,
  constraint book_day_pkey primary key (day),
  constraint book_day_log_n_check check (log_n >= 0),
  constraint book_day_log_hash_check check (octet_length(log_hash) = 32)
);

-- What a charity had received by the end of a day, in funded points; a row for each day on which that changed.
create table book_charity (
  charity_id integer not null,
  day        date    not null,
  points     numeric not null,
  constraint book_charity_pkey primary key (charity_id, day),
  constraint book_charity_charity_id_fkey foreign key (charity_id) references charity
);

-- What had been earned in a game by the end of a day; a row for each day on which that changed.
create table book_game (
  game_id integer not null,
  day     date    not null,
  points  numeric not null,
  constraint book_game_pkey primary key (game_id, day),
  constraint book_game_game_id_fkey foreign key (game_id) references game
);

-- The corrections of a day are found by blocks, as its scores and donations are.
create index correction_corrected_at_idx on correction using brin (corrected_at) with (autosummarize = on);
