-- tallies_lock: waits for posts that are under way, and lets none begin, until the transaction ends: so "no post yet" is true when it is judged.
lock table tally in share row exclusive mode
