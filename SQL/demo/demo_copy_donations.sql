-- demo_copy_donations: the ledger of what they gave.
copy donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at)
from stdin (format binary)
