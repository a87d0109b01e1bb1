-- games_listed: the boards that are played now, each with its game, and games without boards, in the order of their
-- slugs.
-- returns game: Slug, gameName: String, friends: FriendRules, board: Slug?, boardName: String?
select g.slug, g.name, g.friends, b.slug, b.name
  from game g left join board b on b.game_id = g.id and b.kind = 'score' and b.season_ended_at is null
 order by g.slug, b.slug
