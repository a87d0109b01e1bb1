-- past ledgers: rows of the ledgers that nothing new is likely to ask for stand in tables of their own, so that the
-- tables and indexes to which posts are added stay small. They inherit from the ledgers, so every statement that reads
-- or changes a ledger, of servers of before too, finds a row in either place, and in one of them at any moment.
-- compatible since: 29
create table past_score (
  constraint past_score_pkey primary key (player_id, id)
) inherits (score);
create index past_score_player_id_reached_at_idx on past_score (player_id, reached_at);
create index past_score_recorded_at_idx on past_score using brin (recorded_at) with (autosummarize = on);

create table past_donation (
  constraint past_donation_pkey primary key (player_id, id)
) inherits (donation);
create index past_donation_player_id_reached_at_idx on past_donation (player_id, reached_at);
create index past_donation_charity_id_reached_at_idx on past_donation (charity_id, reached_at, id);
create index past_donation_charity_id_day_began_at_idx on past_donation (charity_id, day_began_at, row_id)
  where anonymous;
create index past_donation_recorded_at_idx on past_donation using brin (recorded_at) with (autosummarize = on);

-- Nobody but the owner deletes a row of a ledger, so whoever moves some has them moved here, where none is lost or
-- changed. It says how many it moved. The players' wallets are locked. Rows are found by their
-- keys, whatever the session's settings. Whoever adds a column to a ledger makes these anew with it.
create function past_scores_move(players bigint[], before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
begin atomic
  with chosen as (
    select s.player_id, s.id
      from only score s
     where s.player_id = any(players) and s.reached_at < before
     order by s.player_id, s.reached_at
     limit rows_max
  ), gone as (
    delete from only score s using chosen c where s.player_id = c.player_id and s.id = c.id
    returning s.player_id, s.id, s.board_id, s.points, s.earned, s.no_client_id, s.played_at, s.reached_at,
              s.recorded_at, s.improved, s.day
  ), kept as (
    insert into past_score (
      player_id, id, board_id, points, earned, no_client_id, played_at, reached_at, recorded_at, improved, day)
    select g.player_id, g.id, g.board_id, g.points, g.earned, g.no_client_id, g.played_at, g.reached_at,
           g.recorded_at, g.improved, g.day
      from gone g
     order by g.player_id, g.reached_at
    returning 1
  )
  select count(*) from kept;
end;

create function past_donations_move(players bigint[], before timestamptz, rows_max integer) returns bigint
language sql volatile security definer set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
begin atomic
  with chosen as (
    select d.player_id, d.id
      from only donation d
     where d.player_id = any(players) and d.reached_at < before
     order by d.player_id, d.reached_at
     limit rows_max
  ), gone as (
    delete from only donation d using chosen c where d.player_id = c.player_id and d.id = c.id
    returning d.player_id, d.id, d.charity_id, d.points, d.anonymous, d.no_client_id, d.reached_at, d.recorded_at,
              d.day, d.row_id, d.day_began_at, d.anonymised
  ), kept as (
    insert into past_donation (
      player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id, day_began_at,
      anonymised)
    select g.player_id, g.id, g.charity_id, g.points, g.anonymous, g.no_client_id, g.reached_at, g.recorded_at,
           g.day, g.row_id, g.day_began_at, g.anonymised
      from gone g
     order by g.player_id, g.reached_at
    returning 1
  )
  select count(*) from kept;
end;

revoke execute on function past_scores_move, past_donations_move from public;

-- What has run out is found without reading the rest.
create index code_expires_at_idx on code (expires_at) where expires_at is not null;
create index erased_token_until_idx on erased_token (until);
