-- names and leaving: which names a game takes, names that wait for approval, reports that were dismissed, and players
-- who were erased.
-- compatible since: 21
alter table game
  add column names text not null default 'open',
  add column refused_words text[] not null default '{}',
  add column refused_skeletons text[] not null default '{}',
  add column takes_email boolean not null default true,
  add constraint game_names_check check (names in ('open', 'filtered', 'approved')),
  add constraint game_refused_words_check check (
    cardinality(refused_words) <= 1000 and cardinality(refused_skeletons) = cardinality(refused_words)
  );
comment on column game.refused_skeletons is 'what looks alike of each of the words that no name may have in it';

alter table player
  add column asked_name text,              -- what the player calls itself, while it waits for approval
  add column asked_at   timestamptz,
  add column name_waits boolean not null default false,
  drop constraint player_name_check,
  add constraint player_name_check check (octet_length(name) <= 1024),
  add constraint player_asked_name_check check (octet_length(asked_name) between 1 and 1024),
  add constraint player_asked_at_check check ((asked_name is null) = (asked_at is null));
comment on column player.name is 'what everybody sees; empty once the player was erased';
comment on column player.name_waits is 'whether the next name that the player gives itself waits for approval';
create index player_asked_at_idx on player (asked_at, id) where asked_name is not null;

-- What everybody sees of a new player whose name waits: it tells no more than the public id does.
create function waiting_name(player_id bigint) returns text language sql immutable parallel safe
return 'Player ' || lpad((player_id % 10000)::text, 4, '0');

alter table report add column dismissed_by uuid;
comment on column report.dismissed_by is 'the act that dismissed it';

-- Who was erased, by id alone, so that a restored copy can be told. The receipt is the act's id.
create table erasure (
  player_id bigint      not null,
  receipt   uuid        not null,
  erased_at timestamptz not null,
  constraint erasure_pkey primary key (player_id)
);
create index erasure_erased_at_idx on erasure (erased_at, player_id);

-- The tokens of players who were erased, as hashes, for as long as they are told so.
create table erased_token (
  token_hash bytea       not null,
  receipt    uuid        not null,
  until      timestamptz not null,
  constraint erased_token_pkey primary key (token_hash),
  constraint erased_token_token_hash_check check (octet_length(token_hash) = 32)
);

-- What waits for an operator's decision. The item of a name is that name's, and the item of reports is of those so far:
-- what comes afterwards is another item.
create view queue_item (item, kind, player_id, score_id, why, at, times, words) as
select md5('name ' || p.id || ' ' || p.asked_name)::uuid, 'name', p.id, null::uuid, p.asked_name, p.asked_at, 1::bigint,
       null::text[]
  from player p
 where p.asked_name is not null
 union all
select md5('report ' || r.player_id || ' ' || max(r.reported_at))::uuid, 'report', r.player_id, null,
       string_agg(distinct r.why, ' ' order by r.why), min(r.reported_at), count(*),
       array_agg(r.text order by r.reported_at, r.reporter_id) filter (where r.text is not null)
  from report r
 where r.dismissed_by is null
 group by r.player_id;
