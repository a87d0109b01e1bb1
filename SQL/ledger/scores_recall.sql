-- scores_recall: what the ledger remembers of the few scores whose judgement depends on more than the places before
-- them: those that may repeat an earlier row, and those of boards whose earning looks back. What a voided score earned
-- makes no difference to what another one earns, once its player is told that it is voided.
-- A row without the client's own id repeats the equal row that arrived within 60 s of it. Ids are looked for among the
-- rows of all players who are one, those of the caller's own player first. The row's state and the player's place are
-- what the player is told; the place is there, too, as it is when scores are held that others do not see.
-- What looks at more of the player's ledger than one row is asked only for a row that needs it and repeats none, so
-- that whoever sends an old id again and again costs no more for having posted much. The last column says how many rows
-- that were.
-- $1 bigint[] player   $2 int[] board, or null   $3 uuid[] id, or null without the client's own   $4 bigint[] points
-- $5 timestamptz[] arrival   $6 text[] name it came with, or null   $7 date[] day of the board, or null
-- $8 bigint[] the caller's own player   $9 timestamptz now   $10 bool[] whether equal scores matter
-- $11 bool[] whether the best one does   $12 bool[] whether what the day earned does
select k.id, k.board_id, g.slug as game, b.slug as board, b.ties, k.points, k.earned, k.improved, k.played_at,
       k.reached_at, n.detail, coalesce(h.points, s.points) as standing,
       coalesce(published_state(x, $9), 'counted') as state, h.order_key as own_key, h.reached_at as own_reached,
       v.player_id as own_row,
       coalesce(t.is_there, false) as has_earned_equal, p.points as best,
       coalesce(u.earned, 0)::bigint as earned_on_day,
       coalesce(t.rows_read, 0) + coalesce(p.rows_read, 0) + coalesce(u.rows_read, 0) as rows_read
  from unnest($1::bigint[], $2::int[], $3::uuid[], $4::bigint[], $5::timestamptz[], $6::text[], $7::date[],
              $8::bigint[], $10::bool[], $11::bool[], $12::bool[])
       with ordinality v(player_id, board_id, id, points, reached_at, name, day, own_id, needs_equal, needs_best,
                         needs_day, n)
 cross join lateral (select members(v.player_id) as owners) o
  left join board a on a.id = v.board_id
  left join lateral (
         select e.player_id, e.id
           from score e
          where v.id is not null and e.player_id = any(o.owners) and e.id = v.id
          order by e.player_id = v.own_id desc, e.player_id
          limit 1
       ) i on true
  left join lateral (
         select e.player_id, e.id
           from score e left join score_note m on m.player_id = e.player_id and m.id = e.id
          where v.id is null
            and e.no_client_id
            and e.player_id = any(o.owners)
            and e.board_id = v.board_id
            and e.points = v.points
            and m.name is not distinct from v.name
            and e.reached_at between v.reached_at - interval '60 seconds' and v.reached_at + interval '60 seconds'
          order by e.reached_at desc
          limit 1
       ) q on true
  left join lateral (
         select e.*
           from score e
          where e.player_id = coalesce(i.player_id, q.player_id) and e.id = coalesce(i.id, q.id)
         offset 0                          -- found by its key, also by a plan that was made before there was any
       ) k on true
  left join score_note n on n.player_id = k.player_id and n.id = k.id
  left join score_state x on x.player_id = k.player_id and x.id = k.id
  left join board b on b.id = k.board_id
  left join game g on g.id = b.game_id
  left join lateral (
         select t.points from standing t where t.board_id = k.board_id and t.player_id = v.player_id offset 0
       ) s on true
  left join wallet w on w.player_id = v.player_id
  left join lateral (
         select y.points::bigint as points, y.reached_at, y.order_key
           from own_standing(v.player_id, k.board_id, null, null, $9) y
          where w.holds > 0 or w.secret_until > $9
       ) h on true
  left join lateral (
         -- A classic row earns nothing when an equal one earned that UTC day.
         select bool_or(
                  e.board_id = v.board_id and e.points = v.points and e.earned > 0
                  and not exists (
                        select from score_state m
                         where m.player_id = e.player_id and m.id = e.id and m.state = 'voided'
                           and published_state(m, $9) = 'voided')) as is_there,
                count(*) as rows_read
           from score e
          where v.needs_equal and k.id is null
            and e.player_id = any(o.owners)
            and e.reached_at >= date_trunc('day', v.reached_at at time zone 'UTC') at time zone 'UTC'
            and e.reached_at < (date_trunc('day', v.reached_at at time zone 'UTC') + interval '1 day')
                               at time zone 'UTC'
       ) t on true
  left join lateral (
         select max(e.points * a.sign) filter (
                  where e.board_id = v.board_id
                    and not exists (
                          select from score_state m
                           where m.player_id = e.player_id and m.id = e.id and m.state = 'voided'
                             and published_state(m, $9) = 'voided')) * a.sign as points,
                count(*) as rows_read
           from score e
          where v.needs_best and k.id is null
            and e.player_id = any(o.owners)
       ) p on true
  left join lateral (
         -- The hours around the day are for the index. Where clocks go back at 1:00, as on the Azores, its midnight
         -- comes twice.
         select sum(e.earned) filter (
                  where e.board_id = v.board_id
                    and e.day = v.day
                    and not exists (
                          select from score_state m
                           where m.player_id = e.player_id and m.id = e.id and m.state = 'voided'
                             and published_state(m, $9) = 'voided')) as earned,
                count(*) as rows_read
           from score e
          where v.needs_day and k.id is null
            and e.player_id = any(o.owners)
            and e.reached_at between (v.day::timestamp at time zone a.zone) - interval '3 hours'
                                 and ((v.day + 1)::timestamp at time zone a.zone) + interval '3 hours'
       ) u on true
 order by v.n
