extension OracleText {
    static let donationBatch: StaticString = #"""
        -- donation_batch: records donations and says what became of each. A row that is refused never harms its
        -- neighbours.
        -- callers_resolve has run earlier in this transaction, with the callers of these rows last.
        --
        -- Who calls, what `deferred` means and when a batch is sent again: as in `score_batch`.
        -- The charity is found by its slug, else by its folded name.
        -- A row without the client's own id is a retry of the equal row that arrived within 60 s of it.
        --
        -- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null
        -- $4 bigint[] player, or null   $5 text[] game slug of a classic call, or null   $6 uuid[] id
        -- $7 text[] charity   $8 text[] charity, folded, or null   $9 bigint[] points, 1...   $10 bool[] anonymous
        -- $11 bool[] no client id   $12 timestamptz[] arrival, unique in the batch
        -- $13 timestamptz now   $14 bool whether an earlier try of the batch may have been committed
        -- $15 int rows that callers_resolve had before these
        with

        -- Finds each row's player and charity, and refuses callers who may not give for that player.
        resolved as materialized (
          select v.n, p.id as player_id, v.id, v.points, v.anonymous, v.no_client_id, v.reached_at,
                 c.id as charity_id, c.slug, c.board_id, c.opens_at, c.closes_at, b.ties,
                 (v.reached_at at time zone b.zone)::date as day,
                 date_trunc('day', v.reached_at, b.zone) as day_began_at,
                 case
                   when v.token is not null and p.id is null then 'unauthorized'
                   when v.key is not null and k.game_id is null then 'unauthorized'
                   when v.token is not null and v.named_player <> p.id then 'forbidden'
                   -- A device that speaks for itself, by its id alone.
                   when v.key is null and v.device is not null
                    and (select g.classic from game g where g.slug = v.game) <> 'open' then 'protocol-closed'
                   when v.key is null and v.device is not null
                    and exists (select from device d where d.hash = v.device and d.token_hash is not null) then
                      'token-needed'
                   when p.id is null or p.game_id <> k.game_id then 'no-player'
                   -- The player is not locked, or an earlier row of the batch is the player's too.
                   when p.id <> all((select current_setting('causeboard.locked')::bigint[])::bigint[]) then 'deferred'
                   when array_position((select current_setting('causeboard.players')::bigint[]), p.id) < v.n + $15::int
                     then 'deferred'
                 end as refused
            from unnest(
                   $1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::uuid[],
                   $7::text[], $8::text[], $9::bigint[], $10::bool[], $11::bool[], $12::timestamptz[],
                   (current_setting('causeboard.players')::bigint[])[$15::int + 1:]
                 ) with ordinality v(
                   token, key, device, named_player, game, id,
                   charity, folded, points, anonymous, no_client_id, reached_at,
                   player_id, n
                 )
            left join game_key k on k.hash = v.key and k.revoked_at is null
            left join player p on p.id = v.player_id
            left join charity c on c.id = coalesce(
                   (select x.id from charity x where x.slug = v.charity),
                   (select x.id from charity x where x.name_folded = v.folded)
                 )
            left join board b on b.id = c.board_id
        ),

        -- Judges each row by what is there before it: the wallet, and the row that it may repeat.
        judged as materialized (
          select r.*,
                 unspent(w) as unspent_before,
                 k.id as known_id, k.points as known_points, k.row_id as known_row_id,
                 case
                   -- Without a wallet nothing will change.
                   when r.refused = 'deferred' and w.player_id is null then 'no-player'
                   when r.refused is not null then r.refused
                   when k.id is not null then
                     case
                       when $14::bool and k.reached_at = r.reached_at then 'committed'
                       when r.no_client_id then 'retry'
                       when (k.charity_id, k.points, k.anonymous) is not distinct from (r.charity_id, r.points,
                         r.anonymous)
                         then 'retry'
                       else 'conflict'
                     end
                   when r.charity_id is null then 'no-charity'
                   when r.reached_at < r.opens_at or r.reached_at >= r.closes_at then 'charity-closed'
                   when r.points > unspent(w) then 'overspent'
                   else 'recorded'
                 end as outcome
            from resolved r
            left join wallet w on w.player_id = r.player_id
            left join donation k on k.player_id = r.player_id and k.id = case when not r.no_client_id then r.id else (
                   select e.id
                     from donation e
                    where e.no_client_id
                      and e.player_id = r.player_id
                      and e.charity_id = r.charity_id
                      and e.points = r.points
                      and e.anonymous = r.anonymous
                      and e.reached_at between r.reached_at - interval '60 seconds' and r.reached_at + interval '60
                        seconds'
                    order by e.reached_at desc
                    limit 1
                 ) end
        ),

        -- Writes the ledger and takes the points out of the wallet.
        recorded as materialized (
          select player_id, id, charity_id,
                 case when anonymous then anonymous_row_id(gen_random_uuid()) else player_id end as row_id, board_id,
                 points, anonymous, no_client_id, reached_at, day, day_began_at
            from judged
           where outcome = 'recorded'
        ),
        ledger as (
          insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at,
            day, row_id, day_began_at)
          select player_id, id, charity_id, points, anonymous, no_client_id, reached_at, $13, day,
                 case when anonymous then row_id end, case when anonymous then day_began_at end
            from recorded
        ),
        wallet_update as (
          update wallet w
             set given = w.given + r.points
            from recorded r
           where w.player_id = r.player_id
        ),

        -- Adds each donation to its charity's board and to the board of all contributors.
        rollups as materialized (
          select b.id as board_id, b.lowest_first,
                 case when b.id = r.board_id then r.day else (r.reached_at at time zone b.zone)::date end as day,
                 r.row_id, r.points,
                 case when not r.anonymous then r.reached_at when b.id = r.board_id then r.day_began_at
                      else date_trunc('day', r.reached_at, 'UTC') end as reached_at
            from recorded r
            join board b on b.id = any(array[
                   r.board_id,
                   (select o.id
                      from board o
                     where o.kind = 'giving' and o.slug = 'overall' and o.game_id is null and o.season_ended_at is null)
                 ])
        ),
        tally_update as (
          insert into tally as t (board_id, day, player_id, points, reached_at)
          select board_id, day, row_id, points, reached_at
            from rollups
          on conflict (board_id, day, player_id) do update
             set points = t.points + excluded.points, reached_at = greatest(t.reached_at, excluded.reached_at)
        ),
        standing_update as (
          insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
          select board_id, row_id, points, reached_at, lowest_first
            from rollups
          on conflict (board_id, player_id) do update
             set points = s.points + excluded.points, reached_at = greatest(s.reached_at, excluded.reached_at)
        ),

        -- Adds up what each charity received. Each transaction writes rows of a part that no other one writes at the
        -- moment, so
        -- nobody waits for the row of a charity to which many give. Parts are tried from the first, so the rows stay
        -- few.
        total_update as (
          insert into charity_total as c (charity_id, part, points, contributors, reached_at)
          select r.charity_id,
                 (select p.part
                    from (select generate_series(0, 64) as part) p
                   where p.part = 64 or pg_try_advisory_xact_lock(1734964837, p.part)
                   limit 1),
                 sum(r.points),
                 count(*) filter (where not r.anonymous and not exists (
                   select 1
                     from standing s
                    where s.board_id = r.board_id and s.player_id = r.player_id
                 )),
                 max(r.reached_at) filter (where not r.anonymous)
            from recorded r
           group by r.charity_id
           order by r.charity_id
          on conflict (charity_id, part) do update
             set points = c.points + excluded.points,
                 contributors = c.contributors + excluded.contributors,
                 reached_at = greatest(c.reached_at, excluded.reached_at)
        )

        -- Answers.
        select j.n,
               case when j.outcome = 'committed' then 'recorded' else j.outcome end as outcome,
               case when j.known_id is not null then coalesce(j.known_row_id, j.player_id)
                    when not j.anonymous then j.player_id
                    when j.charity_id is not null then -1
               end as row_id,
               coalesce(j.known_id, j.id) as id,
               j.slug,
               coalesce(j.known_points, j.points) as points,
               j.board_id,
               j.ties,
               case when j.unspent_before is not null
                    then greatest(0, j.unspent_before - case when j.outcome = 'recorded' then j.points else 0 end)
               end as remaining
          from judged j
         order by j.n
        """#
}
