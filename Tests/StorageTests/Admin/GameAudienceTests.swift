import Domain
import TestDatabases
import Testing

@testable import Storage

/// The settings that a game for young players may not have.
@Suite struct GameAudienceTests {
    @Test("a setting is refused exactly where another one is in effect, whatever else is set") func effective()
        async throws
    {
        try await withTestDatabase { database in
            for friends in FriendRules.allCases {
                for teams in TeamRules.allCases {
                    for rosters in TeamRosters.allCases {
                        for (flags, email) in [(false, false), (false, true), (true, false), (true, true)] {
                            for audience in GameAudience.allCases {
                                try await database.owner.script(
                                    """
                                    update game set friends = '\(friends.rawValue)', teams = '\(teams.rawValue)',
                                                    team_rosters = '\(rosters.rawValue)', flags = \(flags),
                                                    takes_email = \(email), audience = '\(audience.rawValue)'
                                    """)
                                let differing = try await database.owner.ask(
                                    """
                                    select x.name
                                      from game g join effective_game e on e.id = g.id
                                     cross join lateral (values
                                             ('email', g.takes_email = e.takes_email),
                                             ('friends', g.friends = e.friends), ('teams', g.teams = e.teams),
                                             ('team_rosters', g.team_rosters = e.team_rosters),
                                             ('flags', g.flags = e.flags)) x (name, is_same)
                                     where g.slug = 'default' and not x.is_same
                                    """)
                                var refused: [String] = []
                                for one in [
                                    GameChange { $0.takesEmail = email }, GameChange { $0.friends = friends },
                                    GameChange { $0.teams = teams }, GameChange { $0.teamRosters = rosters },
                                    GameChange { $0.flags = flags },
                                ] {
                                    do throws(FieldError) { try one.check(for: audience) } catch {
                                        refused.append(error.field)
                                    }
                                }
                                #expect(refused == differing, "\(friends) \(teams) \(rosters) \(flags) \(email)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("settings that come with the audience are judged by it") func together() throws {
        let young = GameChange { ($0.flags, $0.audience) = (true, .young) }
        #expect(throws: FieldError.self) { try young.checked() }
        _ = try GameChange { ($0.flags, $0.audience) = (true, .all) }.checked()
        _ = try GameChange { ($0.flags, $0.audience) = (false, .young) }.checked()
    }

    @Test("a new player of a game for young players is unlisted, and one of others is not") func unlisted() async throws
    {
        try await withTestDatabase { database in
            let before = try await database.addPlayer("Ada")
            let outcome = try await database.store.admin.setGame(
                .defaultGame, GameChange { $0.audience = .young }, now: .noon)
            #expect(outcome == .set)
            let after = try await database.addPlayer("Bea")
            #expect(try await database.store.findPublicProfile(of: before) != nil)
            #expect(try await database.store.findPublicProfile(of: after) == nil)
            #expect(try await database.store.ownProfile(of: after, now: .noon).profile.isUnlisted)
        }
    }
}
