-- Rollups: what the ledgers add up to, written in the transaction of the ledger row. `audit` compares them.

-- Every post changes a row of wallet, standing and tally. A tenth of each page is left free for the next version of a
-- row, which then needs no new entry in any index. Autovacuum's own shares of a table, a fifth of it dead and a tenth
-- of it changed, are days or weeks of posts where a table is large.

-- What a player earned and donated. Its row is the one lock for everything about the player.
create table wallet (
  player_id    bigint      not null,
  earned       bigint      not null default 0,     -- never falls: points taken back are voided
  voided       bigint      not null default 0,
  held         bigint      not null default 0,
  donated      bigint      not null default 0,
  banned       boolean     not null default false,
  merged       boolean     not null default false, -- its sums are in the survivor's wallet
  merges       integer     not null default 0,     -- how many players were merged into this one
  parted       boolean     not null default false, -- a merge was undone: it may have given more than it earned
  holds        integer     not null default 0,     -- how many scores are held
  settles_at   timestamptz,                        -- when the newest points may be donated; null or past: now
  secret_until timestamptz,                        -- until when a score is held, or voided after that, without the
                                                   -- owner being told
  callers_left integer     not null default 0,     -- how often somebody ceased to speak for the player; a post compares
                                                   -- it in place of looking at devices, merges and erasures again
  timed_boards integer[],                          -- the board of each post at timed_at
  timed_at     timestamptz[],                      -- posts to boards whose rules go by times: the last to each, and
                                                   -- those of the minute before; those of one board ascend
  constraint wallet_pkey primary key (player_id),
  -- One rule, because each statement looks all rules of its table up whenever it runs.
  constraint wallet_books_check check (
    earned between 0 and 9007199254740991 and donated >= 0 and (donated <= earned or parted)
    and voided >= 0 and held >= 0 and voided + held <= earned
  ),
  constraint wallet_holds_check check (holds >= 0),
  constraint wallet_timed_check check (cardinality(timed_boards) is not distinct from cardinality(timed_at))
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- What each player made of each day of a board. Anonymous donations count in a row with a negative id, donation.row_id.
create table tally (
  board_id   integer     not null,
  day        date        not null,         -- in the board's zone
  player_id  bigint      not null,
  points     bigint      not null,
  reached_at timestamptz not null,
  constraint tally_pkey primary key (board_id, day, player_id)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table tally replica identity full;   -- a sum over days must be able to take the old value out

-- The bucket of an order key. Buckets are in the order of keys: the sign, the power of two and the four bits after the
-- first of the key as a floating-point number, which are the first two of its eight bytes.
create function order_bucket(order_key bigint) returns smallint language sql immutable parallel safe
return (sign(order_key) * (get_byte(float8send(abs(order_key::float8)), 0) * 256
                           + get_byte(float8send(abs(order_key::float8)), 1)))::smallint;

-- Where each player stands on a board. Anonymous donations count as in tally.
create table standing (
  board_id     integer     not null,
  player_id    bigint      not null,
  points       bigint      not null,
  reached_at   timestamptz not null,
  lowest_first boolean     not null,       -- the board's
  order_bucket smallint    not null
    generated always as (order_bucket(case when lowest_first then points else - points end)) stored,
  -- The order of a board is that of order_key, reached_at and player_id.
  order_key    bigint      not null generated always as (case when lowest_first then points else - points end) stored,
  constraint standing_pkey primary key (board_id, player_id)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- Places are found by their buckets. The keys themselves are in no index, so a post that improves a player's points by
-- less than a sixteenth mostly changes no index.
create index standing_order_bucket_idx on standing (board_id, order_bucket);

-- Not a rollup: which ten posts of a player on a board were the best until a time, so that the list of best posts reads
-- few rows however many posts there are. A row is noted when somebody reads the list, and deleted when an older score
-- starts or stops counting.
create table best_posts (
  player_id bigint      not null,          -- as in the ledger: the player may have been merged since
  board_id  integer     not null,
  until     timestamptz not null,          -- it says nothing about posts that were reached later
  ids       uuid[]      not null,          -- best first; at most ten
  constraint best_posts_pkey primary key (player_id, board_id)
);

-- What each charity received, in up to 65 rows that are added up. Two transactions at once write rows of different
-- parts, so donations to one charity do not wait for each other.
create table charity_total (
  charity_id   integer     not null,
  part         smallint    not null,
  points       numeric     not null,       -- may pass 64 bits
  contributors bigint      not null,       -- those whose first donation to the charity is counted in this part
  reached_at   timestamptz,                -- of the newest donation with a name
  constraint charity_total_pkey primary key (charity_id, part),
  constraint charity_total_part_check check (part between 0 and 64)
) with (fillfactor = 50);                  -- room for the next version beside the row, because no index changes

-- What was donated to each charity that has a cap, less what was reversed. It is compared with the cap under the lock
-- of the charity's row.
create table charity_donated (
  charity_id integer not null,
  day        date    not null,             -- in the zone of the charity's board
  points     numeric not null,
  constraint charity_donated_pkey primary key (charity_id, day),
  constraint charity_donated_points_check check (points >= 0)
);

-- What had been earned and donated by the end of each day in UTC. A day is closed once, when it is over, and never
-- changes afterwards.
create table book_day (
  day       date        not null,
  earned    numeric     not null,          -- sums may pass 64 bits
  voided    numeric     not null,
  held      numeric     not null,
  donated   numeric     not null,          -- without reversed donations
  unfunded  numeric     not null,
  log_n     bigint      not null,          -- the last entry of the log; 0: there was none
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
