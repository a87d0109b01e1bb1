import Domain
import Foundation
import Postgres
@testable import Storage
import TestDatabases
import Testing

@Suite struct ScoreDetailTests {
    private static func second(_ second: Int64) -> Instant { Instant.noon.advanced(bySeconds: second) }

    /// The details of a board's rows, best first: nil for a score without one, `?` for a row without a score.
    private func details(_ database: TestDatabase, _ board: Board, days: ClosedRange<Day>? = nil) async throws
        -> [String?]
    {
        let rows = try await database.store.top(of: board, days: days, limitRows: 10)
        let details = try await database.store.details(of: rows, on: board.id, asking: nil)
        return rows.map { details[$0.sortKey.row] ?? "?" }
    }

    @Test("a row has the detail of the score that it stands for", arguments: [Board.Policy.best, .latest])
    func policies(_ policy: Board.Policy) async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("laps") { $0.policy = policy }
            let other = try await database.addBoard("other")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await database.post(9, by: ada, on: "laps", detail: #"{"n":1}"#)
            try await database.post(5, by: bob, on: "laps")
            // Another board's score of the same moment and points is none of this one's.
            try await database.post(9, by: ada, on: "other", detail: #""other""#)
            #expect(try await details(database, board) == [#"{"n":1}"#, nil])
            try await database.post(9, by: ada, on: "laps", detail: "2", at: Self.second(1))
            #expect(try await details(database, board) == [policy == .best ? #"{"n":1}"# : "2", nil])
            try await database.post(12, by: ada, on: "laps", detail: "3", at: Self.second(2))
            #expect(try await details(database, board) == ["3", nil])
            #expect(try await details(database, other) == [#""other""#])
            // A day that is over keeps the score that counted then.
            let tomorrow = Instant.noon.advanced(bySeconds: 86_400)
            try await database.post(20, by: ada, on: "laps", detail: "4", at: tomorrow)
            #expect(try await details(database, board) == ["4", nil])
            #expect(try await details(database, board, days: board.today...board.today) == ["3", nil])
        }
    }

    @Test("a score that is voided, held, or whose words were taken down shows nothing") func moderated() async throws {
        try await withTestDatabase { database in
            let board = try await database.addBoard("laps")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let ids = [UUID(), UUID(), UUID()]
            for (n, id) in ids.enumerated() {
                let points = Int64(10 + n)
                let at = Self.second(points)
                try await database.post(points, by: ada, on: "laps", id: id, detail: "\(points)", at: at)
            }
            let stale = try await database.store.top(of: board, days: nil, limitRows: 10)
            try await database.moderate(.void(ada, score: ids[2]))
            #expect(try await details(database, board) == ["11"])
            // Memory may still have the previous row.
            #expect(try await database.store.details(of: stale, on: board.id, asking: nil).isEmpty)
            try await database.moderate(.hold(ada, score: ids[1]))
            #expect(try await details(database, board) == ["10"])
            try await database.moderate(.takeDownNote(ada, score: ids[0]))
            #expect(try await details(database, board) == [nil])
            // Into another player: the rows are the survivor's, and so are the details.
            try await database.moderate(.merge(ada, into: bob))
            try await database.moderate(.clear(ada, score: ids[1]))
            #expect(try await details(database, board) == ["11"])
            try await database.moderate(.erase(bob, confirming: "Bob"))
            #expect(try await details(database, board) == [nil])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a held score has its detail for its own player, as if it counted, and for nobody else") func held()
        async throws
    {
        try await withTestDatabase { database in
            let board = try await database.addBoard("laps") { $0.judgeMinutes = 5 }
            let ada = try await database.addPlayer("Ada")
            let receipt = try await database.post(9, by: ada, on: "laps", detail: #"{"cheat":true}"#)
            #expect(try await details(database, board).isEmpty)
            let place = try #require(
                try await database.store.findOwnPlace(of: ada, on: board.id, days: nil, now: .noon))
            #expect(receipt.outcome == .recorded)
            let own = Standing(
                row: ada.rawValue, name: "Ada", avatar: nil, points: 9, reachedAt: place.reachedAt,
                orderKey: place.orderKey)
            let store = database.store
            #expect(try await store.details(of: [own], on: board.id, asking: ada) == [ada.rawValue: #"{"cheat":true}"#])
            #expect(try await store.details(of: [own], on: board.id, asking: nil).isEmpty)
        }
    }

    @Test("details stay private on a board that sums, and go on with a season") func settings() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("laps") { $0.details = .public }
            var change = BoardChange()
            change.policy = .sum
            #expect(try await store.admin.setBoard(.of("laps"), in: .defaultGame, change, now: .noon) == .badDetails)
            #expect(try await store.resetBoard(.of("laps"), in: .defaultGame, now: .noon) == 2)
            #expect(try await store.findBoard(.of("laps"), in: .defaultGame, now: .noon)?.details == .public)
            change.details = .private
            #expect(try await store.admin.setBoard(.of("laps"), in: .defaultGame, change, now: .noon) == .set)
            change = BoardChange()
            change.details = .public
            #expect(try await store.admin.setBoard(.of("laps"), in: .defaultGame, change, now: .noon) == .badDetails)
            change.policy = .sum
            #expect(throws: FieldError.self) { try change.completed(for: .of("new")) }
            await #expect(throws: PostgresError.self) {
                try await database.owner.script("update board set details = 'public' where slug = 'laps'")
            }
        }
    }
}
