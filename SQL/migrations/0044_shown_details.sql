-- shown details: whether everybody sees in a board's rankings the detail that came with a score. A row of a board that
-- sums has no single score.
-- compatible since: 29

-- PostgreSQL 17 adds no column to a table while functions with a body take its rows, so these are made again as they
-- were.
drop function settling_points(wallet, timestamptz);
drop function settle_time(board);
alter table board
  add column details text not null default 'private',
  add constraint board_details_check check (details in ('private', 'public')),
  add constraint board_details_policy_check check (details = 'private' or policy <> 'sum');

-- How long the points of a board's posts are too new to be donated: 10 minutes where posts may be held, if nothing else
-- is set.
create function settle_time(b board) returns interval language sql immutable parallel safe
return make_interval(mins => coalesce(
  b.settle, case when coalesce(b.hold_above, b.hold_rate, b.hold_pace, b.judge) is null then 0 else 10 end));

-- Points of a wallet that are too new to donate: those of scores that count in the player's own view. The limit keeps
-- the planner from reading all scores that were ever held.
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
       -- In the player's own view a held score counts during this time.
       and (m.state is null
            or (select h.id from held_score h where h.player_id = s.player_id and h.id = s.id limit 1) is not null)
  ))::bigint
  else 0
end;
