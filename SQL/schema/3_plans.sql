-- Plans: points that the server donates for players, as they wished.

-- A version of what a player wants. The newest one holds until the player ends it; former ones stay while runs of them
-- do. A statement that writes a row holds the lock of its player.
create table plan (
  player_id   bigint      not null,
  version     integer     not null,        -- counts up; no number is used twice
  charity_ids integer[]   not null,        -- in the order of their slugs
  shares      integer[]   not null,        -- one for each charity
  every       text        not null,
  keep        bigint      not null,        -- points that stay in the wallet
  anonymous   boolean     not null,
  since       timestamptz not null,
  until       timestamptz,                 -- null: it holds
  next_day    date        not null,        -- it donates once the books of this day in UTC are closed
  constraint plan_pkey primary key (player_id, version),
  constraint plan_player_id_fkey foreign key (player_id) references player,
  constraint plan_version_check check (version >= 1),
  constraint plan_shares_check check (
    cardinality(charity_ids) between 1 and 20 and cardinality(shares) = cardinality(charity_ids)
    and 1 <= all(shares) and 10000 >= all(shares)
  ),
  constraint plan_every_check check (every in ('day', 'week', 'month')),
  constraint plan_keep_check check (keep between 0 and 9007199254740991),
  constraint plan_until_check check (until >= since)
);
create unique index plan_player_id_idx on plan (player_id) where until is null;
create index plan_next_day_idx on plan (next_day, player_id) where until is null;

-- What a plan decided after a day: each array has one value for each charity of the plan. It is decided under the
-- player's lock; then the donations are made, and noted when all were tried. A run that gave nothing is deleted by the
-- next one.
create table plan_run (
  player_id  bigint      not null,
  version    integer     not null,
  day        date        not null,         -- the day in UTC after whose end it ran
  points     bigint[]    not null,         -- to be donated; once it is done, what was donated
  ids        uuid[]      not null,         -- of the donations
  skipped    text[]      not null,         -- why a charity gets nothing; null: it was not left out
  owed       bigint[]    not null,         -- what the plan owes each charity, times the sum of all shares; while
                                           -- done_at is null, what it owed before
  decided_at timestamptz not null,
  done_at    timestamptz,                  -- null: some of its donations may not have been tried
  constraint plan_run_pkey primary key (player_id, version, day),
  constraint plan_run_player_id_fkey foreign key (player_id, version) references plan,
  constraint plan_run_points_check check (
    0 <= all(points) and cardinality(ids) = cardinality(points) and cardinality(skipped) = cardinality(points)
    and cardinality(owed) = cardinality(points)
  )
);
create index plan_run_open_idx on plan_run (player_id, version) where done_at is null;

-- The first day from a day on after which a plan donates: each one, a Sunday, or the last of a month.
create function plan_day(every text, from_day date) returns date language sql immutable parallel safe
return case every
  when 'day' then from_day
  when 'week' then from_day + (7 - extract(isodow from from_day)::int)
  else (date_trunc('month', from_day::timestamp) + interval '1 month')::date - 1
end;

-- The one before such a day.
create function plan_day_before(every text, day date) returns date language sql immutable parallel safe
return case every
  when 'day' then day - 1
  when 'week' then day - 7
  else date_trunc('month', day::timestamp)::date - 1
end;

-- What names a version of a plan, as its ETag does.
create function plan_etag(p plan) returns text language sql immutable parallel safe
return p.player_id || '-' || p.version;

-- The slugs of a plan's charities.
create function plan_slugs(p plan) returns text[] language sql stable parallel safe
return array(
  select c.slug from unnest(p.charity_ids) with ordinality v(id, n) join charity c on c.id = v.id order by v.n
);
