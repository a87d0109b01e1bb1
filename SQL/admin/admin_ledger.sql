-- admin_ledger: the scores and donations before an instant of a player and of those who are one with it, the newest
-- first. What was donated anonymously is there only for those who may know who donated it.
-- $1 bigint player   $2 timestamptz before, or null   $3 uuid of the row at that instant   $4 int rows, 1...101
-- $5 bool whether anonymous donations are shown
select r.kind, r.id, r.game, r.board, r.season, r.charity, r.points, r.earned, r.anonymous, r.played_at, r.reached_at,
       r.state
  from unnest(members($1)) o(player_id)
 cross join lateral (
         (select 'score' as kind, s.id, g.slug as game, b.slug as board, b.season, null as charity, s.points, s.earned,
                 null::boolean as anonymous, s.played_at, s.reached_at, coalesce(m.state, 'counted') as state
            from score s
            join board b on b.id = s.board_id
            join game g on g.id = b.game_id
            left join score_state m on m.player_id = s.player_id and m.id = s.id
           where s.player_id = o.player_id and ($2::timestamptz is null or (s.reached_at, s.id) < ($2, $3::uuid))
           order by s.reached_at desc, s.id desc
           limit $4::int)
          union all
         (select 'donation', d.id, null, null, null, c.slug, d.points, null, d.anonymous, null, d.reached_at,
                 case when m.reversed then 'reversed' when m.unfunded = d.points then 'unfunded'
                      when m.unfunded > 0 then 'part' else 'funded' end
            from donation d
            join charity c on c.id = d.charity_id
            left join donation_state m on m.player_id = d.player_id and m.id = d.id
           where d.player_id = o.player_id and ($2::timestamptz is null or (d.reached_at, d.id) < ($2, $3::uuid))
             and ($5 or not d.anonymous)
           order by d.reached_at desc, d.id desc
           limit $4::int)
       ) r
 order by r.reached_at desc, r.id desc
 limit $4::int
