-- callers left: a wallet counts how often somebody ceased to speak for its player. Whoever was found out before the
-- wallet is locked still speaks for the player if the count is still the same, so a post needs no look at devices,
-- merges and erasures for that.
-- compatible since: 29

-- PostgreSQL 17 adds no column to a table while functions with a body take its rows, so these are made again as they
-- were.
drop function settling_points(wallet, timestamptz);
drop function told_left(wallet, timestamptz);
drop function unspent(wallet);
alter table wallet add column callers_left integer not null default 0;
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
comment on column wallet.callers_left is 'how often somebody ceased to speak for the player';

-- By triggers, because servers of before change these tables too.
create function caller_leave() returns trigger language plpgsql as $$
declare
  player bigint;
begin
  if tg_table_name = 'device' then
    player = old.player_id;
  elsif tg_table_name = 'merge' then
    player = old.survivor_id;
  else
    player = new.player_id;
  end if;
  update wallet w set callers_left = w.callers_left + 1 where w.player_id = player;
  return null;
end $$;
create trigger device_leave_trg after delete on device for each row execute function caller_leave();
create trigger device_move_trg after update of player_id on device
  for each row when (old.player_id <> new.player_id) execute function caller_leave();
create trigger merge_part_trg after delete on merge for each row execute function caller_leave();
create trigger merge_follow_trg after update of survivor_id on merge
  for each row when (old.survivor_id <> new.survivor_id) execute function caller_leave();
create trigger erasure_leave_trg after insert on erasure for each row execute function caller_leave();

-- A device that had come to a player by a merge, and then joined another one by a code, speaks for that one alone.
update device d
   set merged_from = null
 where d.merged_from is not null
   and not exists (select from merge m where m.player_id = d.merged_from and m.survivor_id = d.player_id);
