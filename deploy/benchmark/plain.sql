-- plain.sql: the tables of one.sql and one_donation.sql, made on the copy of a dataset from its rows. Types, checks and
-- indexes are frozen: they are what this project's tables had on 26 November 2026, when the targets were set, and a
-- plain design for these questions. So the baselines do not gain from what the project's own tables become. Each of
-- these is emptied once its copy is made, or the disk would have to hold all rows twice more.

create table plain_wallet as
  select player_id, earned, voided, held, donated, banned, merged, merges, parted, holds, settles_at, secret_until,
         callers_left, timed_boards, timed_at
    from wallet;
alter table plain_wallet
  add constraint plain_wallet_pkey primary key (player_id),
  add constraint plain_wallet_books_check check (
    earned between 0 and 9007199254740991 and donated >= 0 and (donated <= earned or parted)
    and voided >= 0 and held >= 0 and voided + held <= earned
  ),
  add constraint plain_wallet_holds_check check (holds >= 0),
  add constraint plain_wallet_timed_check check (
    cardinality(timed_boards) is not distinct from cardinality(timed_at)
  ),
  alter earned set not null, alter voided set not null, alter held set not null, alter donated set not null,
  set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
truncate wallet;

create table plain_score as
  select player_id, id, board_id, points, earned, no_client_id, played_at, reached_at, recorded_at, improved, day
    from score;
alter table plain_score
  add constraint plain_score_pkey primary key (player_id, id),
  set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
       autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
create index plain_score_player_id_reached_at_idx on plain_score (player_id, reached_at);
create index plain_score_recorded_at_idx on plain_score using brin (recorded_at) with (autosummarize = on);
truncate score;

create table plain_donation as
  select player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id, day_began_at,
         anonymised
    from donation;
alter table plain_donation
  add constraint plain_donation_pkey primary key (player_id, id),
  add constraint plain_donation_points_check check (points >= 1),
  add constraint plain_donation_anonymous_check check (
    case when anonymous then row_id < 0 and row_id is not null and day_began_at is not null
         else row_id is null and day_began_at is null and not anonymised end
  ),
  alter anonymised set default false,
  set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
       autovacuum_freeze_min_age = 0, autovacuum_analyze_scale_factor = 0.02);
create index plain_donation_player_id_reached_at_idx on plain_donation (player_id, reached_at);
create index plain_donation_charity_id_reached_at_idx on plain_donation (charity_id, reached_at, id);
create index plain_donation_charity_id_day_began_at_idx on plain_donation (charity_id, day_began_at, row_id)
  where anonymous;
create index plain_donation_recorded_at_idx on plain_donation using brin (recorded_at) with (autosummarize = on);
truncate donation;

create table plain_tally as select board_id, day, player_id, points, reached_at from tally;
alter table plain_tally
  add constraint plain_tally_pkey primary key (board_id, day, player_id),
  set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
alter table plain_tally replica identity full;
truncate tally;

create table plain_standing (
  board_id     integer     not null,
  player_id    bigint      not null,
  points       bigint      not null,
  reached_at   timestamptz not null,
  lowest_first boolean     not null,
  order_key    bigint      not null generated always as (case when lowest_first then points else - points end) stored
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
insert into plain_standing (board_id, player_id, points, reached_at, lowest_first)
  select board_id, player_id, points, reached_at, lowest_first from standing;
alter table plain_standing add constraint plain_standing_pkey primary key (board_id, player_id);
create index plain_standing_place_idx on plain_standing (board_id, order_key, reached_at, player_id);
truncate standing;

grant select, insert, update on plain_wallet, plain_score, plain_donation, plain_tally, plain_standing
  to causeboard_server;
