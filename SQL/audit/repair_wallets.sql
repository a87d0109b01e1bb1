-- repair_wallets: makes the sums of wallets what ledgers and corrections say, and adds wallets that are missing, with
-- the times until which points settle and holds are secret. tallies_lock has run in this transaction, so nobody posts
-- or donates. A wallet that was missing does not know the last post: rules that need its time see a first post. Only
-- rows that differ are written or locked.
-- returns Int64
with put as (
  insert into wallet (player_id, earned, voided, held, donated, merged, merges, holds, settles_at, secret_until)
  select p.player_id, p.earned, p.voided, p.held, p.donated, p.merged, p.merges, p.holds, t.settles_at, t.secret_until
    from wallet_recomputed p
    left join wallet k on k.player_id = p.player_id
    left join lateral (
           select max(s.reached_at + settle_time(b)) filter (where settle_time(b) > interval '0') as settles_at,
                  max(h.secret_until) as secret_until
             from score s
             join board b on b.id = s.board_id
             left join held_score h on h.player_id = s.player_id and h.id = s.id
            where s.player_id = any(members(p.player_id))
         ) t on k.player_id is null
   where (k.earned, k.voided, k.held, k.donated, k.merged, k.merges, k.holds)
         is distinct from (p.earned, p.voided, p.held, p.donated, p.merged, p.merges, p.holds)
   order by p.player_id
  on conflict (player_id) do update
     set earned = excluded.earned, voided = excluded.voided, held = excluded.held, donated = excluded.donated,
         merged = excluded.merged, merges = excluded.merges, holds = excluded.holds
  returning 1
)
select count(*) from put
