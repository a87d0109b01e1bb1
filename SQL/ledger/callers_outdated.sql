-- callers_outdated: for which players nobody speaks any more who did when the callers were identified: those who were
-- erased, and those with whom a caller's own player is no longer one. wallets_lock has run in this transaction, and
-- erasing and parting hold the same lock, so this statement sees each that came before.
-- $1 bigint[] players   $2 bigint[] the callers' own players, before they were merged
select v.player_id
  from unnest($1::bigint[], $2::bigint[]) v(player_id, own_id)
 -- As values these are looked up by their keys; as `exists` the whole tables might be read and hashed.
 where (select e.receipt is not null from erasure e where e.player_id = v.player_id)
    or v.own_id <> v.player_id
       and (select m.survivor_id from merge m where m.player_id = v.own_id) is distinct from v.player_id
