extension OracleText {
    static let callersResolve: StaticString = #"""
        -- callers_resolve: finds the players who call in a batch, and locks those that nobody else has locked.
        -- It runs before the statements that write the batch, so their snapshot sees what the last holder of a lock committed.
        -- Locks are taken in key order. A player whom somebody else has locked is left out and judged later, so whoever holds
        -- a lock for long delays that player alone.
        -- A row has a player only if its caller may speak for that player: the others are refused by the statements that
        -- follow, and must neither lock a player nor take the one turn that a player has in a batch.
        -- The result stays in two settings that last as long as the transaction, where the statements of the batch read it:
        -- causeboard.players, the player of each row, and causeboard.locked, the players that were locked.
        -- A commit marker goes into the replication stream: whoever follows the stream past it has seen the batch. A batch that
        -- has locked nobody changes nothing, so it has no marker and writes nothing to the log.
        -- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null
        -- $4 bigint[] player, or null   $5 text[] game slug of a device without a key, or null
        -- $6 text commit marker, or null when nobody waits for it
        with
        -- A token says more than a key with a player, and a key more than a device alone. A player who comes without any of
        -- them was identified before.
        resolved as materialized (
          select v.n,
                 case
                   when v.token is not null then (select d.player_id from device d where d.token_hash = v.token)
                   when v.key is not null then (
                     select p.id
                       from game_key k join player p on p.game_id = k.game_id
                      where k.hash = v.key
                        and k.revoked_at is null
                        and p.id = case
                              when v.device is null then v.named_player
                              else (select d.player_id from device d where d.hash = v.device)
                            end
                   )
                   when v.device is not null then (
                     select d.player_id
                       from device d
                      where d.hash = v.device
                        and d.token_hash is null
                        and exists (select 1 from game g where g.slug = v.game and g.classic = 'open')
                   )
                   else v.named_player
                 end as player_id
            from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[])
                 with ordinality v(token, key, device, named_player, game, n)
        ),
        -- The wallet's row is the lock for all that is the player's.
        locked as materialized (
          select w.player_id
            from wallet w
           where w.player_id = any(array(select r.player_id from resolved r))
           order by w.player_id
             for update skip locked
        )
        select set_config('causeboard.players', array(select r.player_id from resolved r order by r.n)::text, true),
               set_config('causeboard.locked', array(select l.player_id from locked l)::text, true),
               case when $6::text is not null and exists (select 1 from locked)
                    then pg_logical_emit_message(true, 'causeboard', $6::text)
               end::text as position
        """#
}
