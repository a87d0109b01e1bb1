-- traces: which pictures a player had before, so that they go with the player; what an undo needs of a name that was
-- waiting; and a queue of reports that shows few words of many, so that no page of it grows with them.
-- compatible since: 29

-- The pictures that a player had and has no more, for as long as they are stored. Whoever erases the player deletes
-- them; the sweep of pictures that nobody has takes these rows with it.
create table former_avatar (
  player_id bigint not null,
  sha256    bytea  not null,
  constraint former_avatar_pkey primary key (player_id, sha256),
  constraint former_avatar_player_id_fkey foreign key (player_id) references player,
  constraint former_avatar_sha256_fkey foreign key (sha256) references avatar on delete cascade
);
create index former_avatar_sha256_idx on former_avatar (sha256);

-- By a trigger, because servers of before change pictures too. One who was erased has none of before.
create function avatar_replace() returns trigger language plpgsql as $$
begin
  insert into former_avatar (player_id, sha256)
  select old.id, a.sha256 from avatar a where a.sha256 = old.avatar
  on conflict do nothing;
  return null;
end $$;
create trigger player_avatar_trg after update of avatar on player
  for each row when (old.avatar is distinct from new.avatar and old.avatar is not null and new.name <> '')
  execute function avatar_replace();

alter table log_words
  add column former_asked    text,         -- the name that waited when the player was renamed
  add column former_asked_at timestamptz,
  add column former_waits    boolean;      -- whether the player's next own name had to wait
comment on column log_words.former is 'the name before the player was renamed';

-- The reports that wait, by player, without their words; and those that have words, of which few are kept.
create index report_waiting_idx on report (player_id, reported_at, why) where dismissed_by is null;
create index report_text_idx on report (player_id, reported_at, reporter_id) where text is not null;

-- What reporters wrote of a player: the newest of what waits, the oldest of these first.
create function report_words(of_player bigint) returns text[] language sql stable parallel safe
return (select array_agg(n.text order by n.reported_at, n.reporter_id)
          from (select r.text, r.reported_at, r.reporter_id
                  from report r
                 where r.player_id = of_player and r.text is not null and r.dismissed_by is null
                 order by r.reported_at desc, r.reporter_id desc
                 limit 20) n);

create or replace view queue_item (item, kind, player_id, score_id, why, at, times, words) as
select md5('name ' || p.id || ' ' || p.asked_name)::uuid, 'name', p.id, null::uuid, p.asked_name, p.asked_at, 1::bigint,
       null::text[]
  from player p
 where p.asked_name is not null
 union all
select md5('report ' || r.player_id || ' ' || r.newest)::uuid, 'report', r.player_id, null, r.why, r.oldest, r.times,
       report_words(r.player_id)
  from (select w.player_id, max(w.reported_at) as newest, min(w.reported_at) as oldest, count(*) as times,
               string_agg(distinct w.why, ' ' order by w.why) as why
          from report w
         where w.dismissed_by is null
         group by w.player_id) r
 union all
select h.item, 'held', h.player_id, h.id, array_to_string(h.why, ' '), h.held_at, 1, null
  from score_state m join held_score h on h.player_id = m.player_id and h.id = m.id
 where m.state = 'held' and (h.why <> '{judge}' or h.judge_until is null);
