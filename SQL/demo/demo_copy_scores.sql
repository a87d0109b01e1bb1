-- demo_copy_scores: the ledger of what they played.
copy score (player_id, id, board_id, points, earned, improved, no_client_id, reached_at, recorded_at)
from stdin (format binary)
