-- demo_copy_donations: the ledger of what they gave.
copy donation (player_id, id, charity_id, points, anonymous, idless, reached_at, recorded_at) from stdin (format binary)
