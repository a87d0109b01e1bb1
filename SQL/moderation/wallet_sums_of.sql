-- wallet_sums_of: what a player earned and what became of it. Whoever changes it has locked the wallet.
-- $1 bigint player: Player.ID
-- returns WalletSums(earned, voided, held, donated)
select w.earned, w.voided, w.held, w.donated from wallet w where w.player_id = $1
