-- wallet_sums: what a player earned and what became of it. Whoever changes it has locked the wallet.
-- $1 bigint player
select w.earned, w.voided, w.held, w.donated from wallet w where w.player_id = $1
