-- bounded reads: the views over the ledgers and the log read no more than the players or the entries that are asked
-- for.
-- compatible since: 29

-- What counts on the giving boards, under the player whose row of the ledger it is. An anonymous donation tells its day
-- alone, on each board in that one's zone. Adding 0 in the join keeps the planner from reading all donations of each
-- charity in order to find those of a few players.
create view giving_row as
select b.id as board_id,
       coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day,
       d.player_id, d.row_id, d.points,
       case when not d.anonymous then d.reached_at
            when b.id = c.board_id then d.day_began_at
            else date_trunc('day', d.reached_at, 'UTC') end as reached_at,
       b.lowest_first
  from funded_donation d
  join charity c on c.id = d.charity_id + 0
  join board b on b.id in (c.board_id, (select o.id from board o where o.kind = 'giving' and o.slug = 'overall'));

-- The same under the player into whom the owner was merged, for statements about all players.
create or replace view giving_ledger as
select g.board_id, g.day, o.survivor_id as player_id, coalesce(g.row_id, o.survivor_id) as row_id, g.points,
       g.reached_at, g.lowest_first
  from ledger_owner o join giving_row g on g.player_id = o.player_id;

-- The donation that an entry is about is found by its key: its owner and its id stand in the entry's act, or in the act
-- that this one undoes.
create or replace view logged_entry as
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason, w.name,
       x.player_id,
       exists (
         select
           from (select coalesce(x.owner_id, u.owner_id) as player_id, array[x.subject, u.subject] as ids
                   from (select 1) one left join act u on u.id = x.subject) k
          cross join lateral (
                  select r.anonymous from donation r where r.player_id = k.player_id and r.id = any(k.ids) offset 0
                ) d
          where d.anonymous
       ) as is_about_anonymous
  from log_entry e
  left join log_words w on w.n = e.n
  left join act x on x.n = e.n;

-- Points of a wallet that are too new to donate: those of scores that count in the player's own view. The limit keeps
-- the planner from reading all scores that were ever held.
create or replace function settling_points(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return case
  when w.settles_at > at then least(told_left(w, at), (
    select coalesce(sum(s.earned), 0)
      from score s
      join board b on b.id = s.board_id
      left join score_state m on m.player_id = s.player_id and m.id = s.id
     where s.player_id = any(members(w.player_id))
       and s.reached_at > at - (select max(settle_time(x)) from board x where x.kind = 'score')
       and s.reached_at + settle_time(b) > at
       -- In the player's own view a held score counts during this time.
       and (m.state is null
            or (select h.id from held_score h where h.player_id = s.player_id and h.id = s.id limit 1) is not null)
  ))::bigint
  else 0
end;

-- The reports that an act dismissed wait again when it is undone.
create index report_dismissed_by_idx on report (dismissed_by) where dismissed_by is not null;
