-- teams_lock: locks teams, before the next statement's snapshot. The wallets of the players who join or leave are
-- locked.
-- $1 bigint[] teams: [Team.ID]
-- returns Team.ID
select t.id from team t where t.id = any($1::bigint[]) order by t.id for no key update
