-- wallets_judged: adds what scores earned to the wallets, and takes donations out, if nothing else of the player has to
-- be read: the caller still acts for it, it is neither banned nor merged, none of its scores is held, and it has enough
-- points that may be donated. Else nothing of the batch is written (22012). Locks are taken in the order of the rows.
-- It returns what can be donated afterwards. No wallet is ever deleted, so none is missing.
-- $1 bigint[] player, in ascending order   $2 bigint[] earned   $3 bigint[] donated   $4 int[] callers left
-- $5 timestamptz now
update wallet w
   set earned = w.earned + v.earned, donated = w.donated + v.donated
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[]) v(player_id, earned, donated, callers_left)
 where w.player_id = v.player_id
   and must(w.callers_left = v.callers_left and not w.banned and not w.merged and w.merges = 0 and w.holds = 0
            and (w.secret_until is null or w.secret_until <= $5) and unspent(w) >= v.donated
            and (v.donated = 0 or w.settles_at is null or w.settles_at <= $5)
            and w.earned + v.earned <= 9007199254740991)
returning w.player_id, unspent(w) as balance
