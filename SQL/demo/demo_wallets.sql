-- demo_wallets: new players' wallets, added up from both ledgers.
-- $1 bigint[] players
-- returns nothing
insert into wallet (player_id, earned, donated)
select p.player_id,
       coalesce((select sum(s.earned) from score s where s.player_id = p.player_id), 0),
       coalesce((select sum(d.points) from donation d where d.player_id = p.player_id), 0)
  from unnest($1::bigint[]) p(player_id)
