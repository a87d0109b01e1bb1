-- team_code_make: gives the captain of a team a new code, which ends the former one. The wallet of the captain is
-- locked, and the team.
-- $1 bytea token: TokenHash, of the captain   $2 bytea code: CodeHash   $3 timestamptz now
-- returns nothing
insert into code as c (player_id, kind, hash, device, made_at)
select d.player_id, 'team', $2, d.hash, $3 from device d where d.token_hash = $1
on conflict (player_id, kind) do update
   set hash = excluded.hash, device = excluded.device, made_at = excluded.made_at
