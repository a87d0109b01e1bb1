-- demo_copy_players: players as the demo made them up.
-- returns nothing
copy player (id, game_id, name, avatar, country, registered_at) from stdin (format binary)
