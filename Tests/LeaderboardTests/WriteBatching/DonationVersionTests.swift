import Domain
import FoundationEssentials
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct DonationVersionTests {
    @Test("what was read of the charities is outdated by a recorded donation, and by no refused or repeated one")
    func version() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let player = try await database.addPlayer("Ada", points: 10)
            let memory = LeaderboardMemory(store: database.store)
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: memory, workersCount: 1)
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await batcher.run() }
                defer { services.cancelAll() }
                func donate(_ points: Int64, to charity: String, id: UUID = UUID()) async throws -> DonationOutcome {
                    try await batcher.donate { arrival in
                        NewDonation(
                            points, by: .player(player), to: CharityName(.of(charity)), id: id, isAnonymous: false,
                            reachedAt: arrival)
                    }.receipt.outcome
                }
                let before = memory.standings.donationVersion
                let refused = [try await donate(11, to: "trees"), try await donate(1, to: "whales")]
                #expect(refused == [.overspent, .noCharity])
                #expect(memory.standings.donationVersion == before)

                let id = UUID()
                let first = try await donate(1, to: "trees", id: id)
                let after = memory.standings.donationVersion
                #expect(first == .recorded && after != before)
                let again = try await donate(1, to: "trees", id: id)
                #expect(again == .retry && memory.standings.donationVersion == after)
            }
        }
    }

    @Test("what was read of the charities is outdated by a repair, which changes no donation") func repaired()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 10)
            try await database.donate(4, by: ada, to: "trees")
            try await withFollower(database) { live in
                try await database.owner.script("update charity_total set points = points + 1")
                var read = try await live.rankings.allCharities()
                try await live.wait("a list that is current") {
                    try await live.catchUp()
                    read = try await live.rankings.allCharities()
                    return read.validator.map { live.rankings.isCurrent($0) } ?? false
                }
                let validator = try #require(read.validator)
                #expect(read.charities.map(\.points) == [5])
                _ = try await database.store.admin.repairRollups(by: "cli", now: .noon)
                try await live.catchUp()
                #expect(!live.rankings.isCurrent(validator))
                #expect(try await live.rankings.allCharities().charities.map(\.points) == [4])
            }
        }
    }

    @Test("best posts are outdated by a post, and they and the charities by a moderation action that was not a trial")
    func corrections() async throws {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada")
            let memory = LeaderboardMemory(store: database.store)
            let batcher = WriteBatcher(
                store: database.store, clock: ServerClock { .noon }, memory: memory, workersCount: 1)
            func versions() -> [UInt64] { [memory.standings.donationVersion, memory.standings.bestPosts.number] }
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { await batcher.run() }
                defer { services.cancelAll() }
                let score = UUID()
                let before = versions()
                let posted = try await batcher.record(includesTotal: false) { arrival in
                    NewScore(5, by: .player(player), on: .highScores, in: .defaultGame, id: score, reachedAt: arrival)
                }.receipt.outcome
                let after = versions()
                #expect(posted == .recorded && after[0] == before[0] && after[1] > before[1])

                let action = ModerationAction(
                    .void(player, score: score), id: UUID(), reason: try ModerationReason("a test"))
                let tried = try await batcher.perform(action, by: "cli", isDry: true)
                #expect(tried.isDone && versions() == after)
                let done = try await batcher.perform(action, by: "cli", isDry: false)
                let corrected = versions()
                #expect(done.isDone && corrected[0] > after[0] && corrected[1] > after[1])
            }
        }
    }
}

extension ModerationOutcome { fileprivate var isDone: Bool { if case .done = self { true } else { false } } }
