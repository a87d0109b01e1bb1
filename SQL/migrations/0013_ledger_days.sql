-- ledger days: the day on which a row counted. The ledgers keep it, because a later edition of the time zones may move
-- the midnights of the past, and the audit must still find what was counted then.
-- compatible since: 12
-- It is the day in the zone of the score's board, and in that of the charity's board; null in rows of servers that do
-- not know the column, whose day is computed. Adding it rewrites nothing.
alter table score add column day date;
alter table donation add column day date;

create or replace view ledger_tally as
select s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date) as day, s.player_id,
       case b.policy
         when 'sum' then sum(s.points)
         when 'best' then max(s.points * b.sign) * b.sign
         else (array_agg(s.points order by s.reached_at desc, s.points * b.sign desc)
                 filter (where b.policy = 'latest'))[1]
       end as points,
       case b.policy
         when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at)
                             filter (where b.policy = 'best'))[1]
         else max(s.reached_at)
       end as reached_at
  from score s join board b on b.id = s.board_id
 group by s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date), s.player_id, b.policy, b.sign;

-- The board of all contributors counts its days in UTC, which no edition changes.
alter table board add constraint board_zone_check check (kind <> 'giving' or slug <> 'overall' or zone = 'UTC');

create or replace view giving_ledger as
select b.id as board_id,
       coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day,
       d.player_id, giving_row_id(d.player_id, d.anonymous) as row_id, d.points, d.reached_at, b.lowest_first
  from donation d
  join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall');
