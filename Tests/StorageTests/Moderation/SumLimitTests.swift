import Credentials
import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// What becomes of sums that a wallet, a board or 64 bits cannot hold.
@Suite struct SumLimitTests {
    /// Two players of tokens who have posted, and a board of sums beside the one from which they earn.
    private struct Pair {
        let ada: Player.ID
        let bob: Player.ID
        let adasToken = Token.generated(.device).hash
        let bobsToken = Token.generated(.device).hash

        init(_ points: Int64, on board: String, _ database: TestDatabase) async throws {
            func register(_ name: String, _ token: TokenHash) async throws -> Player.ID {
                guard case .registered(let player) = try await database.register(name, as: .token(token)) else {
                    throw TestDatabaseError("\(name) was not registered")
                }
                return player.id
            }
            ada = try await register("Ada", adasToken)
            bob = try await register("Bob", bobsToken)
            for player in [ada, bob] {
                #expect(try await database.post(points, by: player, on: board).outcome == .recorded)
            }
        }

        func merge(_ database: TestDatabase) async throws -> ModerationOutcome {
            let action = ModerationAction(.merge(bob, into: ada), id: UUID(), reason: try ModerationReason("a test"))
            return try await database.store.admin.perform(action, by: "cli", now: .noon)
        }

        /// Bob's device joins Ada by a code, and merges Bob into her.
        func join(_ database: TestDatabase) async throws -> JoinOutcome {
            let joining = Joining(
                try database.hash("Bob", as: .classic), in: .defaultGame, access: .token(bobsToken),
                by: .code(try await database.joinCode(of: adasToken)), number: "pad", name: nil, now: .noon)
            return try await database.store.joinMerging(joining, as: UUID(), marker: nil)
        }
    }

    @Test("players whose sums on a board would leave 64 bits are not merged, and the refusal says so") func boards()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("sums") {
                $0.policy = .sum;
                $0.bounds = -Int64.max...Int64.max;
                $0.earning = .none
            }
            let pair = try await Pair(Int64.max - 5, on: "sums", database)
            #expect(try await pair.merge(database) == .boardFull)
            guard case .tooManyPoints = try await pair.join(database) else {
                Issue.record("the refusal does not name the points")
                return
            }
            #expect(try await database.owner.ask("select count(*) from merge") == ["0"])
            #expect(try await database.auditComplaints() == [])
            #expect(try await database.post(6, by: pair.bob, on: "sums").outcome == .outOfBounds)
        }
    }

    @Test("players who earned more than a wallet holds are not merged, and the refusal says so") func wallets()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("rich")
            let pair = try await Pair(Limits.walletPointsMax - 5, on: "rich", database)
            #expect(try await pair.merge(database) == .walletFull)
            guard case .tooManyPoints = try await pair.join(database) else {
                Issue.record("the refusal does not name the points")
                return
            }
            #expect(try await database.owner.ask("select count(*) from merge") == ["0"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a void that is undone after other points came is refused, when the sum would leave 64 bits") func undo()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("sums") {
                $0.policy = .sum;
                $0.bounds = 0...Int64.max;
                $0.earning = .none
            }
            let ada = try await database.addPlayer("Ada")
            let score = try await database.post(.max, by: ada, on: "sums").id
            let void = try await database.moderate(.void(ada, score: score))
            #expect(try await database.post(1, by: ada, on: "sums").outcome == .recorded)
            let undo = ModerationAction(.undo(void), id: UUID(), reason: try ModerationReason("a test"))
            #expect(try await database.store.admin.perform(undo, by: "cli", now: .noon) == .boardFull)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a window, a charity and the books may sum up to more than 64 bits") func sums() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("sums") {
                $0.policy = .sum;
                $0.bounds = -Int64.max...Int64.max;
                $0.earning = .none
            }
            let ada = try await database.addPlayer("Ada", points: 9)
            let donationBoard = try await database.addCharity("trees")
            #expect(try await database.donate(9, by: ada, to: "trees").outcome == .recorded)
            for (points, hours) in [(Int64.max, 0), (-Int64.max, 24), (-Int64.max, 48)] as [(Int64, Int64)] {
                let at = Instant.noon.advanced(bySeconds: hours * 3_600)
                #expect(try await database.post(points, by: ada, on: "sums", at: at).outcome == .recorded)
            }
            let first = Instant.noon.dayInUTC
            let days = first.advanced(byDays: 1)...first.advanced(byDays: 2)
            let rows = try await database.store.top(of: board, days: days, limitRows: 9)
            #expect(rows.map(\.points) == [-2 * Int128(Int64.max)])

            let more = Int128(1) << 64
            try await database.owner.script(
                """
                update charity_total set points = points + \(more);
                insert into tally (board_id, day, player_id, points, reached_at)
                select \(donationBoard.id.rawValue), '\(first.isoDate)', 5000 + n, \(Int64.max), now()
                  from generate_series(1, 4) n
                """)
            let charities = try await database.store.charities(now: .noon)
            #expect(charities.map(\.points) == [more + 9])
        }
    }
}
