-- Contests: challenges that players make. Who stands where is read from the rollups; no row is stored for it.

-- A challenge of one player to others, over whole days of a board. It is over with its last day, or when the season of
-- its board ended. Its maker has a row of `entry` like everybody else.
create table challenge (
  id         uuid        not null,         -- chosen by the maker's client
  made_by    bigint      not null,         -- 0: the maker was erased
  board_id   integer     not null,
  first_day  date        not null,
  last_day   date        not null,
  stake      bigint      not null,         -- points that each who enters gives to the winner's charity; 0: none
  made_at    timestamptz not null,
  state      text        not null default 'open',
  settled_at timestamptz,                  -- when it was settled, or has lapsed
  constraint challenge_pkey primary key (id),
  constraint challenge_board_id_fkey foreign key (board_id) references board,
  constraint challenge_last_day_check check (last_day between first_day + 1 and first_day + 14),
  constraint challenge_stake_check check (stake between 0 and 1000),
  constraint challenge_state_check check (state in ('open', 'settled', 'lapsed')),
  constraint challenge_settled_at_check check ((state = 'open') = (settled_at is null))
);
create index challenge_made_by_idx on challenge (made_by);
create index challenge_open_idx on challenge (board_id, last_day) where settled_at is null;
create index challenge_settled_at_idx on challenge (settled_at) where settled_at is not null;

-- What a player has answered to a challenge. Rows stay where they are when players are merged: see entry_of. Whoever
-- changes an answer holds the lock of its player, and shares that of the challenge.
create table entry (
  player_id  bigint      not null,
  contest    uuid        not null,
  state      text        not null,
  charity_id integer,                      -- who gets the stakes if the player wins; null without a stake
  at         timestamptz not null,         -- when it was invited, or last answered
  settled_at timestamptz,                  -- when the challenge was settled, or has lapsed
  won        boolean     not null default false,  -- whether the player had won then
  constraint entry_pkey primary key (player_id, contest),
  constraint entry_player_id_fkey foreign key (player_id) references player,
  -- withdrawn: the maker has blocked the player, who is not invited any more.
  constraint entry_state_check check (state in ('invited', 'entered', 'declined', 'left', 'withdrawn')),
  constraint entry_won_check check (not won or settled_at is not null)
);
create index entry_contest_idx on entry (contest);
create index entry_settled_at_idx on entry (player_id, settled_at);

-- What each player gives to a charity for a challenge with a stake. It is decided in the transaction that settles the
-- challenge; the donation then follows, under an id that is always the same.
create table stake_share (
  player_id  bigint  not null,             -- as in `entry`
  challenge  uuid    not null,
  charity_id integer not null,
  points     bigint  not null,
  donation   uuid    not null,
  gave       bigint,                       -- what was given: all, or 0; null: that is not known yet
  constraint stake_share_pkey primary key (player_id, challenge, charity_id),
  constraint stake_share_player_id_fkey foreign key (player_id) references player,
  constraint stake_share_points_check check (points >= 1),
  constraint stake_share_gave_check check (gave in (0, points))
);
create index stake_share_challenge_idx on stake_share (challenge);
create index stake_share_waiting_idx on stake_share (challenge, player_id, charity_id) where gave is null;
