import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

@Suite struct FirstPostTests {
    private func post(
        _ points: Int64, _ database: TestDatabase, device: String = "Ada", name: String? = "Ada",
        board: Slug = .highScores
    ) async throws -> FirstPost {
        let registration = Registration(name: try name.map { try PlayerName($0, field: "name") }, source: "test")
        return try await database.store.registerAndRecord(
            registration, device: database.device(of: device), in: database.game, marker: nil, now: .noon
        ) {
            NewScore(
                points, by: .player($0), on: board, in: database.game.slug, id: nil, isClassic: true, reachedAt: .noon)
        }
    }

    @Test("a first post makes the player and records the score; the next one finds both") func both() async throws {
        try await withTestDatabase { database in
            guard case .recorded(let first) = try await post(7, database),
                case .recorded(let second) = try await post(7, database)
            else { throw TestDatabaseError("not recorded") }
            #expect(first.outcome == .recorded && first.balance == 7)
            #expect(second.outcome == .retry && second.id == first.id)
            #expect(try await database.owner.ask("select name from player") == ["Ada"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("when the score or the name is refused neither a player nor a device stays behind") func neither()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addBoard("signed") { $0.trust = .signed }
            try await database.addBoard("server") { $0.trust = .server }
            let refusals: [Slug: ScoreOutcome] = [
                .highScores: .outOfBounds, .of("nowhere"): .noBoard, .of("signed"): .unsigned,
                .of("server"): .serverOnly,
            ]
            for (points, name, board) in [
                (0, "Ada", Slug.highScores), (5, "Ada", .of("nowhere")), (5, "Trees", .highScores),
                (5, nil, .highScores), (5, "Ada", .of("signed")), (5, "Ada", .of("server")),
            ] {
                switch try await post(Int64(points), database, name: name, board: board) {
                case .recorded(let receipt): Issue.record("recorded \(receipt)")
                case .refused(let receipt): #expect(receipt.outcome == refusals[board])
                case .unregistered(.nameRefused): #expect(name == "Trees")
                case .unregistered(.nameMissing): #expect(name == nil)
                case .unregistered(let outcome): Issue.record("\(outcome)")
                }
            }
            for table in ["player", "device", "wallet", "score", "standing", "tally"] {
                #expect(try await database.owner.ask("select count(*) from \(table)") == ["0"], "\(table)")
            }
        }
    }

    @Test("concurrent first posts of one device make one player and one score") func twins() async throws {
        try await withTestDatabase { database in
            let outcomes = try await withThrowingTaskGroup(of: ScoreOutcome?.self) { twins in
                for _ in 0..<12 {
                    twins.addTask {
                        if case .recorded(let receipt) = try await post(7, database) { receipt.outcome } else { nil }
                    }
                }
                return try await twins.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == .recorded }.count == 1)
            #expect(outcomes.filter { $0 == .retry }.count == 11)
            #expect(try await database.owner.ask("select count(*) from player") == ["1"])
            #expect(try await database.auditComplaints() == [])
        }
    }
}
