-- donations_recall: the rows of the ledger that the few donations may repeat that come under a known id or without one.
-- A row without the client's own id repeats the equal row that arrived within 60 s of it. Ids are looked for among the
-- rows of all players who are one, those of the caller's own player first.
-- Whether it is anonymous is what was first sent.
-- $1 bigint[] player   $2 uuid[] id, or null without the client's own   $3 int[] charity, or null   $4 bigint[] points
-- $5 bool[] anonymous   $6 timestamptz[] arrival   $7 bigint[] the caller's own player
select k.id, k.charity_id, k.points, k.anonymous and not k.anonymised as anonymous, k.row_id, k.reached_at,
       coalesce(m.reversed, false) as reversed
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[], $7::bigint[])
       with ordinality v(player_id, id, charity_id, points, anonymous, reached_at, own_id, n)
 cross join lateral (select members(v.player_id) as owners) o
  left join lateral (
         select e.player_id, e.id
           from donation e
          where v.id is not null and e.player_id = any(o.owners) and e.id = v.id
          order by e.player_id = v.own_id desc, e.player_id
          limit 1
       ) i on true
  left join lateral (
         select e.player_id, e.id
           from donation e
          where v.id is null
            and e.no_client_id
            and e.player_id = any(o.owners)
            and e.charity_id = v.charity_id
            and e.points = v.points
            and (e.anonymous and not e.anonymised) = v.anonymous
            and e.reached_at between v.reached_at - interval '60 seconds' and v.reached_at + interval '60 seconds'
          order by e.reached_at desc
          limit 1
       ) q on true
  left join lateral (
         select d.*
           from donation d
          where d.player_id = coalesce(i.player_id, q.player_id) and d.id = coalesce(i.id, q.id)
         offset 0                          -- found by its key, also by a plan that was made before there was any
       ) k on true
  left join donation_state m on m.player_id = k.player_id and m.id = k.id
 order by v.n
