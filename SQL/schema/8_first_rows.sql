-- First rows: the game of the classic clients, the board of all contributors, the board that ranks the charities, and
-- the key of the log.
insert into game (slug, name, classic, added_at) values ('default', 'Default', 'open', now());

insert into board (kind, game_id, slug, name, policy, points_min, points_max, earns, added_at)
select 'score', id, 'high-scores', 'High scores', 'best', 1, 9223372036854775807, 'points', now()
  from game
 where slug = 'default';

insert into board (kind, slug, name, policy, points_min, added_at) values
  ('donation', 'overall', 'Contributors', 'sum', 1, now()),
  ('charity', 'charities', 'Charities', 'sum', 1, now());

insert into log_key (key) values (sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid()), 'UTF8')));
