-- demo_copy_players: players as the demo made them up.
-- returns nothing
copy player (id, game_id, name, avatar, country, flag, flag_at, registered_at) from stdin (format binary)
