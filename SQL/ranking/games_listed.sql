-- games_listed: the boards that are played now, each with its game, and games without boards, in the order of their
-- slugs. What a game offers to players is what is in effect.
-- $1 text game: Slug? = nil, null for all
-- returns game: Slug, gameName: String, friends: FriendRules, teams: TeamRules, flags: Bool, plans: Bool,
-- challenges: ChallengeRules, stakeMax: Int32, board: Slug?, boardName: String?
select g.slug, g.name, g.friends, g.teams, g.flags, g.plans, g.challenges, g.stake_max, b.slug, b.name
  from effective_game g left join board b on b.game_id = g.id and b.kind = 'score' and b.season_ended_at is null
 where $1::text is null or g.slug = $1
 order by g.slug, b.slug
