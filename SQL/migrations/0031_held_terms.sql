-- held terms: until when an owner is not told of a hold is settled at the hold, whatever becomes of the settings of its
-- board, and each game finds the scores that wait for it without those of others.
-- compatible since: 29
alter table held_score
  add column game_id      integer,         -- the board's
  add column secret_until timestamptz;     -- until when the owner is not told

update held_score h
   set game_id = b.game_id, secret_until = s.reached_at + settle_time(b)
  from score s join board b on b.id = s.board_id
 where s.player_id = h.player_id and s.id = h.id;

create index held_score_game_id_idx on held_score (game_id, judge_until, item) where judge_until is not null;

-- Servers of before do not say these.
create function held_score_terms() returns trigger language plpgsql as $$
begin
  select b.game_id, coalesce(new.secret_until, s.reached_at + settle_time(b))
    into new.game_id, new.secret_until
    from score s join board b on b.id = s.board_id
   where s.player_id = new.player_id and s.id = new.id;
  return new;
end $$;
create trigger held_score_terms_trg before insert on held_score
  for each row when (new.game_id is null) execute function held_score_terms();

create or replace view owner_score as
select m.player_id, m.id, s.board_id, s.points, s.earned, s.reached_at,
       coalesce(s.day, (s.reached_at at time zone b.zone)::date) as day, m.state, h.secret_until
  from score_state m
  join held_score h on h.player_id = m.player_id and h.id = m.id
  join score s on s.player_id = m.player_id and s.id = m.id
  join board b on b.id = s.board_id;
