-- award_days_own: the days of about the last year on which a player has a score that counts in its own view, for the
-- awards of its game that count days: on each of their boards, and on any board where they name none. Today is that of
-- the board, or of the one where it is latest.
-- $1 bigint player: Player.ID   $2 timestamptz now
-- returns board: Slug?, today: Day, days: [Day]
with asked as materialized (
  select distinct p.game_id, a.board_slug
    from player p join award a on a.game_id = p.game_id and a.rule in ('days', 'streak')
   where p.id = $1
), place as materialized (
  select a.board_slug, b.id as board_id, ($2::timestamptz at time zone b.zone)::date as today
    from asked a
    join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = coalesce(a.board_slug, b.slug)
), post as materialized (
  select distinct s.board_id, s.day
    from score s
    left join lateral (
           select m.state, published_state(m, $2) as state_shown
             from score_state m
            where m.player_id = s.player_id and m.id = s.id
           offset 0
         ) m on true
   where s.player_id = any(members($1)) and s.reached_at > $2 - interval '368 days'
     and (m.state is null or m.state_shown = 'counted') and exists (select from asked)
)
select l.board_slug, max(l.today),
       coalesce(array_agg(distinct p.day order by p.day) filter (where p.day is not null), '{}')
  from place l left join post p on p.board_id = l.board_id
 group by l.board_slug
