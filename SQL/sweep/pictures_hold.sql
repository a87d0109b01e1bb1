-- pictures_hold: lets nobody register or change a player until this transaction ends, and waits for those who do so
-- just now: one of them may be about to have a picture that nobody has.
-- returns nothing
lock table player in share mode
