-- settling_before: how much of what players are told they can donate is too new for it, and when as much may be donated
-- as each of them wants to. wallets_lock has run earlier in this transaction.
-- Rows come in the order of the players.
-- $1 bigint[] players: [Player.ID], player of each donation   $2 bigint[] points, its points   $3 timestamptz now
-- returns SettlingContext
select k.settling, k.remaining, r.ready_at
  from unnest($1::bigint[], $2::bigint[]) with ordinality v(player_id, points, n)
  join wallet w on w.player_id = v.player_id
 -- Once for each player: as functions of rows they would run for each score.
 cross join lateral (
         select settling_points(w, $3) as settling, published_left(w, $3) as remaining offset 0
       ) k
  left join lateral (
         select min(t.settles_at) as ready_at
           from (-- What settles after each moment. The sum runs from row to row, so that it costs no more with many
                 -- scores than reading them: with a frame that excludes rows it would begin anew for each.
                 select g.settles_at,
                        sum(g.earned) over (order by g.settles_at desc
                                            rows between unbounded preceding and 1 preceding) as later
                   from (select s.settles_at, sum(s.earned) as earned
                           from settling_scores(w.player_id, $3) s
                          group by s.settles_at) g) t
          where k.remaining - coalesce(t.later, 0) >= v.points
       ) r on true
 order by v.n
