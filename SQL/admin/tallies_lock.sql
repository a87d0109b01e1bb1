-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
-- returns nothing
lock table tally in share row exclusive mode
