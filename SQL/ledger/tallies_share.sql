-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
-- returns nothing
lock table tally in row exclusive mode
