-- report sources: from which network a report came, so that many reports from one network hide no others.
-- compatible since: 29
alter table report add column source bigint;
comment on column report.source is 'keyed hash of the network that it came from; null when that is unknown';

drop index report_waiting_idx;
create index report_waiting_idx on report (player_id, reported_at, why) include (source, reporter_id)
 where dismissed_by is null;

-- The reports with words of each player, and their places: those in the first places keep their words and are shown.
-- What waits comes before what was dismissed, and the first report of each network before further ones. Of the others,
-- the oldest and the newest come first, so that many reports push out neither.
create view report_place as
select r.player_id, r.reporter_id, r.reported_at, r.text, r.dismissed_by,
       row_number() over (partition by r.player_id
                          order by r.dismissed_by is not null, r.round > 1, least(r.from_oldest, r.from_newest),
                                   r.from_oldest) as place
  from (select w.player_id, w.reporter_id, w.reported_at, w.text, w.dismissed_by,
               row_number() over (partition by w.player_id, w.dismissed_by is not null, w.source
                                  order by w.reported_at, w.reporter_id) as round,
               row_number() over (partition by w.player_id order by w.reported_at, w.reporter_id) as from_oldest,
               row_number() over (partition by w.player_id
                                  order by w.reported_at desc, w.reporter_id desc) as from_newest
          from report w
         where w.text is not null) r;

-- What reporters wrote of a player and what waits, the oldest first.
create or replace function report_words(of_player bigint) returns text[] language sql stable parallel safe
return (select array_agg(p.text order by p.reported_at, p.reporter_id)
          from report_place p
         where p.player_id = of_player and p.dismissed_by is null and p.place <= 20);

create or replace view queue_item (item, kind, player_id, score_id, why, at, times, words, sources) as
select md5('name ' || p.id || ' ' || p.asked_name)::uuid, 'name', p.id, null::uuid, p.asked_name, p.asked_at, 1::bigint,
       null::text[], 1::bigint
  from player p
 where p.asked_name is not null
 union all
select md5('report ' || r.player_id || ' ' || r.newest)::uuid, 'report', r.player_id, null, r.why, r.oldest, r.times,
       report_words(r.player_id), r.sources
  from (select w.player_id, max(w.reported_at) as newest, min(w.reported_at) as oldest, count(*) as times,
               string_agg(distinct w.why, ' ' order by w.why) as why,
               count(distinct coalesce(w.source, w.reporter_id)) as sources
          from report w
         where w.dismissed_by is null
         group by w.player_id) r
 union all
select h.item, 'held', h.player_id, h.id, array_to_string(h.why, ' '), h.held_at, 1, null, 1
  from score_state m join held_score h on h.player_id = m.player_id and h.id = m.id
 where m.state = 'held' and (h.why <> '{judge}' or h.judge_until is null);
