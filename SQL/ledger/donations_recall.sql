-- donations_recall: the rows of the ledger that the few donations may repeat that come under a known id or without one.
-- A row without the client's own id repeats the equal row that arrived within 60 s of it.
-- $1 bigint[] player   $2 uuid[] id, or null without the client's own   $3 int[] charity, or null   $4 bigint[] points
-- $5 bool[] anonymous   $6 timestamptz[] arrival
select k.id, k.charity_id, k.points, k.anonymous, k.reached_at, coalesce(m.reversed, false) as reversed
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[])
       with ordinality v(player_id, id, charity_id, points, anonymous, reached_at, n)
  left join donation k on k.player_id = v.player_id and k.id = case when v.id is not null then v.id else (
         select e.id
           from donation e
          where e.no_client_id
            and e.player_id = v.player_id
            and e.charity_id = v.charity_id
            and e.points = v.points
            and e.anonymous = v.anonymous
            and e.reached_at between v.reached_at - interval '60 seconds' and v.reached_at + interval '60 seconds'
          order by e.reached_at desc
          limit 1
       ) end
  left join donation_state m on m.player_id = k.player_id and m.id = k.id
 order by v.n
