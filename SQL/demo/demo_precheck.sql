-- demo_precheck: whether a demo may be put here.
-- It asks whether anybody has played yet, and whether the first board still is as the schema made it, because the demo
-- earns by its rules.
-- returns isInUse: Bool, isBoardAsMade: Bool
select exists (select from player)
    or exists (select from wallet)
    or exists (select from score)
    or exists (select from donation),
       exists (
         select from board b join game g on g.id = b.game_id
          where b.kind = 'score' and g.slug = 'default' and b.slug = 'high-scores' and b.season_ended_at is null
            and b.policy = 'best' and not b.lowest_first
            and b.points_min = 1 and b.points_max = 9223372036854775807
            and b.earns = 'points' and b.earn_max is null and b.earn_day is null
            and b.opens_at is null and b.closes_at is null
       )
