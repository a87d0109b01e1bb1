-- timed posts: when a player posted to boards whose rules go by times is in its wallet, which each post locks, reads
-- and changes anyway. A row of its own cost a seventh of PostgreSQL's part of a post.
-- compatible since: 29

-- PostgreSQL 17 adds no column to a table while functions with a body take its rows, so these are made again as they
-- were.
drop function settling_points(wallet, timestamptz);
drop function told_left(wallet, timestamptz);
drop function unspent(wallet);
alter table wallet
  add column timed_boards integer[],
  add column timed_at     timestamptz[],
  add constraint wallet_timed_check check (cardinality(timed_boards) is not distinct from cardinality(timed_at))
    not valid;                             -- nobody waits while all rows are looked at: the next migration does that
create function unspent(w wallet) returns bigint
language sql immutable parallel safe
return w.earned - w.voided - w.held - w.given;

-- The points that a player is told it can give.
create function told_left(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return greatest(0, unspent(w) + case
  when w.secret_until > at then (select (s.held + s.voided)::bigint from secret_points(w.player_id, at) s)
  else 0
end);

-- The points among these that are too new to be given: those of scores that count, as the player is told.
create function settling_points(w wallet, at timestamptz) returns bigint language sql stable parallel safe
return case
  when w.settles_at > at then least(told_left(w, at), (
    select coalesce(sum(s.earned), 0)
      from score s
      join board b on b.id = s.board_id
      left join score_state m on m.player_id = s.player_id and m.id = s.id
     where s.player_id = any(members(w.player_id))
       and s.reached_at > at - (select max(settle_time(x)) from board x where x.kind = 'score')
       and s.reached_at + settle_time(b) > at
       -- One that was held is told to count for so long.
       and (m.state is null
            or exists (select from held_score h where h.player_id = s.player_id and h.id = s.id))))::bigint
  else 0
end;
comment on column wallet.timed_boards is 'the board of each post at timed_at';
comment on column wallet.timed_at is
  'when the player posted to boards whose rules go by times: to each last, and in the minute before; those of one '
  'board ascend';

-- Servers of before note times in their own table, and see there what servers of before noted. What they note is in the
-- wallet, too. They have locked it. The table goes once none of them can run any more.
create function post_time_copy() returns trigger language plpgsql as $$
begin
  update wallet w
     set (timed_boards, timed_at) = (
           select array_agg(r.board_id order by r.at, r.board_id),
                  array_agg(r.at order by r.at, r.board_id)
             from (select u.board_id, u.at
                     from unnest(w.timed_boards, w.timed_at) u(board_id, at)
                    where u.board_id <> new.board_id
                    union all
                  (select u.board_id, u.at
                     from unnest(w.timed_boards, w.timed_at) u(board_id, at)
                    where u.board_id = new.board_id
                      and u.at > new.posted_at[cardinality(new.posted_at)] - interval '1 minute'
                    order by u.at desc
                    limit 599)              -- as many as any board takes in a minute, with the new one
                    union all
                   select new.board_id, new.posted_at[cardinality(new.posted_at)]) r(board_id, at))
   where w.player_id = new.player_id;
  return null;
end $$;
create trigger post_times_first_trg after insert on post_times for each row execute function post_time_copy();
-- A row that a sweep shortens tells of no post.
create trigger post_times_next_trg after update on post_times for each row
  when (new.posted_at <> old.posted_at
        and (cardinality(new.posted_at) >= cardinality(old.posted_at)
             or new.posted_at[cardinality(new.posted_at)] <> old.posted_at[cardinality(old.posted_at)]))
  execute function post_time_copy();
