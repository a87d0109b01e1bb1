-- key scopes: keys of operators beside those of games, what a key may do, when it ends, and when it was used.
-- compatible since: 21
-- A server of before takes a game's key for one with all its scopes and without an end. It knows no operator's key: the
-- hash of one is not made of its bytes alone, so that the same bytes are no game's key.
alter table game_key
  add column public_id uuid not null default gen_random_uuid() constraint game_key_public_id_key unique,
  add column kind text not null default 'game' constraint game_key_kind_check check (kind in ('admin', 'game')),
  add column scopes text[] not null default '{register,post,donate}',
  add column expires_at timestamptz,
  alter column game_id drop not null,
  add constraint game_key_game_id_check check ((kind = 'game') = (game_id is not null)),
  add constraint game_key_scopes_check check (cardinality(scopes) between 1 and 64);

-- The day on which a key was used last. It is a table of its own, because each change of a key makes every server
-- forget whom callers speak for.
create table key_use (
  key_id  integer not null constraint key_use_pkey primary key constraint key_use_key_id_fkey references game_key,
  used_on date not null
);

-- E-mail addresses are found whatever their case. The index holds four bytes of each and not the address itself: of ten
-- million players who all left one it takes 340 MB, where a tree takes 570 MB.
create index player_email_idx on player using hash (lower(email)) where email is not null;

-- What happened in a range of days is found by blocks, as rows are added in the order of time. Each of these takes some
-- kilobytes. Making them reads the tables once, during which posts wait: about a second for each gigabyte.
create index score_recorded_at_idx on score using brin (recorded_at) with (autosummarize = on);
create index donation_recorded_at_idx on donation using brin (recorded_at) with (autosummarize = on);
create index player_registered_at_idx on player using brin (registered_at) with (autosummarize = on);
