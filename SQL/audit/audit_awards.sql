-- audit_awards: who has which award and since when, by GROUP BY over the ledgers, and how often each was given. Awards
-- that are granted have no rule to compare with. The server decides about awards soon after a commit, so that is left
-- out which has happened after a time.
-- $1 timestamptz before
-- returns AuditedRows(compared, differing, example)
with held as (
  select h.player_id, h.award_id, '' as occasion, h.given_at
    from (select array_agg(a.id) as awards, array_agg(p.id) as players
            from award a
            join player p on p.game_id = a.game_id
           where a.rule not in ('rank', 'granted') and p.name <> ''
             and not exists (select from merge m where m.player_id = p.id)) k
   cross join lateral award_held(k.awards, k.players) h
   union all
  select h.player_id, a.id, b.season::text, h.given_at
    from award a
    join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
                and b.season = coalesce(a.season, b.season) and b.season_ended_at is not null
   cross join lateral award_rank_held(a.id, b.id) h
   where a.rule = 'rank' and not exists (select from player p where p.id = h.player_id and p.name = '')
   union all
  select h.player_id, a.id, a.contest, h.given_at
    from award a cross join lateral award_contest_held(a.id, $1) h
   where a.contest is not null and not exists (select from player p where p.id = h.player_id and p.name = '')
), compared as (
  select award_id, player_id, occasion, g.given_at is distinct from h.given_at as differs,
         greatest(g.given_at, h.given_at) as newest
    from (select x.player_id, x.award_id, x.occasion, x.given_at
            from award_given x join award a on a.id = x.award_id and a.rule <> 'granted') g
    full join held h using (player_id, award_id, occasion)
), judged as (
  select 'award ' || c.award_id || ', player ' || c.player_id as place,
         c.differs and c.newest < $1
         and not exists (
               select from correction k
                where k.corrected_at >= $1 and (c.occasion <> '' or k.player_id = any(members(c.player_id))))
         and not exists (
               select from moderation_action m
                where m.acted_at >= $1
                  and (c.occasion <> '' or m.player_id = any(members(c.player_id)) or m.into_id = c.player_id))
           as differs
    from compared c
   union all
  select 'award ' || award_id || ', given', t.given is distinct from n.given
    from (select x.award_id, x.given from award_total x where x.given <> 0) t
    full join (select y.award_id, count(*) as given from award_given y group by y.award_id) n using (award_id)
)
select count(*), count(*) filter (where differs), min(place) filter (where differs) from judged
