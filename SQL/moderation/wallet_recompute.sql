-- wallet_recompute: makes the sums of a wallet what ledgers and corrections say, after another player's parted from
-- them. The wallet is locked.
-- $1 bigint player: Player.ID
-- returns nothing
update wallet w
   set earned = p.earned, voided = p.voided, held = p.held, donated = p.donated, merged = p.merged, merges = p.merges,
       holds = p.holds, parted = true,
       -- Scores may have been held while the players were one.
       secret_until = greatest(w.secret_until, (select max(h.secret_until)
                                                  from held_score h
                                                 where h.player_id = any(members($1))))
  from wallet_recomputed p
 where w.player_id = $1 and p.player_id = $1
