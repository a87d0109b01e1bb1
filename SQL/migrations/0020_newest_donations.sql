-- newest donations: pages show the donations to a charity from the newest on, and find players by their names.
-- compatible since: 16
create index donation_charity_id_reached_at_idx on donation (charity_id, reached_at, id);
-- The names of ten million players take 400 MB here. Names are compared without case.
create index player_game_id_lower_idx on player (game_id, lower(name) text_pattern_ops);
