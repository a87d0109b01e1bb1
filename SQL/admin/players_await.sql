-- players_await: waits until all who are writing a player have committed, in a transaction of its own. Whoever writes
-- one afterwards has seen what was committed before.
-- returns nothing
lock table player in share mode
