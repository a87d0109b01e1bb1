import Domain
import Foundation
import TestDatabases
import TestDice
import Testing

@testable import Storage

@Suite struct BookTests {
    @Test(
        "each closed day is what a naive model had at its end, whoever closes it, and nothing changes it later",
        arguments: Dice.slowSeeds(21, 22, 23)) func random(seed: UInt64) async throws
    {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed, playersCount: 10)
            var dice = Dice(seed: seed)
            var ends: [Day: DayBooks] = [:]
            var closed: [Day: DayBooks] = [:]
            var moment = Instant.at("2026-11-21T00:00:00Z")
            let first = moment.dayInUTC
            for _ in 0..<40 {
                _ = try await database.store.record(history.judgedScores(), now: moment)
                _ = try await database.store.donate(history.judgedDonations(), now: moment)
                for _ in 0..<2 {
                    let action = try Self.moderate(history.model, history.players, &dice)
                    // Which actions are refused is tested elsewhere.
                    if case .done = try await database.store.admin.perform(action, by: "cli", now: moment) {
                        #expect(history.model.judge(action) == .done)
                    }
                }
                let next = moment.advanced(bySeconds: dice.pick([1, 3_600, 20_000, 86_399, 86_400, 200_000]))
                var day = moment.dayInUTC
                while day < next.dayInUTC {
                    ends[day] = try await Self.books(history.model, at: day, database.store)
                    day = day.advanced(byDays: 1)
                }
                moment = next
                guard dice.percent(40) else { continue }
                let looked = moment
                async let one = database.store.closeBooks(now: looked)
                async let other = database.store.closeBooks(now: looked)
                let counts = try await [one, other]
                #expect(counts.contains { $0 != nil } && counts.filter { ($0 ?? 0) > 0 }.count <= 1, "\(counts)")
                let last = Store.lastBookDay(moment)
                let span = try await database.store.bookSpan()
                #expect(span.map { [$0.lowerBound, $0.upperBound] } == (last < first ? nil : [first, last]))
                if let span {
                    day = span.lowerBound
                    while day <= span.upperBound {
                        let found = try #require(try await database.store.findBooks(of: day))
                        #expect(found == closed[day] ?? found, "a closed day never changes")
                        closed[day] = found
                        day = day.advanced(byDays: 1)
                    }
                }
                #expect(try await database.auditComplaints() == [])
            }
            #expect(closed.count > 5)
            for (day, books) in closed {
                let expected = try #require(ends[day])
                #expect(Self.sums(books) == Self.sums(expected), "\(day.text)")
                #expect(books.logNumber == expected.logNumber && books.logHash == expected.logHash, "\(day.text)")
                #expect(Self.points(books.charities) == Self.points(expected.charities), "\(day.text)")
                #expect(Self.points(books.games) == Self.points(expected.games), "\(day.text)")
                #expect(books.earned == books.voided + books.held + books.left + books.funded && books.left >= 0)
                #expect(books.funded == books.charities.reduce(0) { $0 + $1.points })
                #expect(books.earned == books.games.reduce(0) { $0 + $1.points })
            }
        }
    }

    @Test("a day is closed ten minutes after its end, also one without a row, and none before the first row")
    func days() async throws {
        try await withTestDatabase { database in
            let store = database.store
            #expect(try await store.closeBooks(now: .at("2026-11-22T12:00:00Z")) == 0)
            #expect(try await store.bookSpan() == nil)
            let maze = try await database.addGame("maze")
            try await database.addBoard("lap", in: .of("maze"))
            try await database.addBoard("solo")
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", in: maze)
            let bob = try await database.addPlayer("Bob")
            try await database.post(100, by: ada, on: "lap", in: maze, at: .at("2026-11-21T23:59:59Z"))
            try await database.post(7, by: bob, on: "solo", at: .at("2026-11-22T00:00:00Z"))
            try await database.donate(30, by: ada, to: "trees", at: .at("2026-11-22T10:00:00Z"))
            let first = Instant.at("2026-11-21T00:00:00Z").dayInUTC
            #expect(try await store.closeBooks(now: .at("2026-11-22T00:09:59Z")) == 0)
            #expect(try await store.closeBooks(now: .at("2026-11-22T00:10:00Z")) == 1)
            #expect(try await store.closeBooks(now: .at("2026-11-22T23:59:59Z")) == 0)
            #expect(try await store.closeBooks(now: .at("2026-11-25T00:10:00Z")) == 3)
            #expect(try await store.findBooks(of: first.advanced(byDays: -1)) == nil)
            #expect(try await store.findBooks(of: first.advanced(byDays: 4)) == nil)
            let one = try #require(try await store.findBooks(of: first))
            #expect(Self.sums(one) == [100, 0, 0, 0, 0] && one.charities == [])
            // The board, the game and the charity were made before the books began.
            let last = try #require(try await store.admin.log(before: nil, rows: 1).first)
            #expect(one.logNumber == last.entry.number && one.logHash == last.hash)
            #expect(one.games == [.init(slug: "maze", name: "maze", points: 100)])
            for offset in 1...3 {
                let books = try #require(try await store.findBooks(of: first.advanced(byDays: Int32(offset))))
                #expect(Self.sums(books) == [107, 0, 0, 30, 0] && books.left == 77)
                #expect(Self.points(books.games) == ["maze": 100, "default": 7])
                #expect(books.games.map(\.slug) == ["default", "maze"])
                #expect(Self.points(books.charities) == ["trees": 30])
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("the audit finds a closed day that is not what the ledgers say, and the server's role cannot change one")
    func audit() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada", points: 50)
            try await database.addCharity("trees")
            try await database.donate(20, by: ada, to: "trees")
            #expect(try await database.store.closeBooks(now: Instant.noon.advanced(bySeconds: 3 * 86_400)) == 3)
            #expect(try await database.auditComplaints() == [])
            for change in [
                "update book_day set earned = earned + 1 where day = (select min(day) from book_day)",
                "update book_charity set points = points - 1", "update book_game set points = points - 1",
                "delete from book_game", "update book_day set log_n = 1",
                "delete from book_day where day = (select min(day) + 1 from book_day)",
            ] {
                let complaints = try await complaints(after: change, database)
                #expect(complaints.count == 1 && complaints[0].hasPrefix("closed days of the books: "), "\(change)")
            }
            #expect(try await database.auditComplaints() == [])
            for table in ["book_day", "book_charity", "book_game"] {
                for privilege in ["update", "delete", "truncate"] {
                    let sql = "select has_table_privilege('causeboard_server', '\(table)', '\(privilege)')"
                    #expect(try await database.owner.ask(sql) == ["false"], "\(table) \(privilege)")
                }
            }
        }
    }

    private func complaints(after change: String, _ database: TestDatabase) async throws -> [String] {
        let tables = ["book_day", "book_charity", "book_game"]
        try await database.owner.script(tables.map { "create table kept_\($0) as table \($0);" }.joined() + change)
        let complaints = try await database.auditComplaints()
        try await database.owner.script(
            tables.map { "delete from \($0); insert into \($0) table kept_\($0); drop table kept_\($0);" }.joined())
        return complaints
    }

    private static func sums(_ books: DayBooks) -> [Int128] {
        [books.earned, books.voided, books.held, books.donated, books.unfunded]
    }

    /// By slug, without those that have nothing left of what they had.
    private static func points(_ accounts: [DayBooks.Account]) -> [String: Int128] {
        Dictionary(uniqueKeysWithValues: accounts.filter { $0.points != 0 }.map { ($0.slug, $0.points) })
    }

    /// The books of the model as it is, added up player by player.
    private static func books(_ model: Model, at day: Day, _ store: Store) async throws -> DayBooks {
        let wallets = Set((model.scores + model.donations).map(\.player)).map { model.sums($0) }
        func sum(_ points: (WalletSums) -> Int64) -> Int128 { wallets.reduce(0) { $0 + Int128(points($1)) } }
        let last = try await store.admin.log(before: nil, rows: 1).first
        var books = DayBooks(
            day: day, earned: sum(\.earned), voided: sum(\.voided), held: sum(\.held), donated: sum(\.donated),
            unfunded: sum { max(0, $0.donated - ($0.earned - $0.voided - $0.held)) },
            logNumber: last?.entry.number ?? 0, logHash: last?.hash ?? LogEntry.origin)
        let received = Dictionary(model.funded.map { ($0.place, Int128($0.points)) }, uniquingKeysWith: +)
        books.charities = received.map { .init(slug: $0.key, name: $0.key, points: $0.value) }
        books.games = [.init(slug: "default", name: "default", points: books.earned)]
        return books
    }

    private static func moderate(_ model: Model, _ players: [Player.ID], _ dice: inout Dice) throws -> ModerationAction
    {
        let player = dice.pick(players)
        let scores = model.scores.filter { $0.player == player }.map(\.id) + [dice.uuid()]
        let donations = model.donations.filter { $0.player == player }.map(\.id) + [dice.uuid()]
        let kind: ModerationKind
        switch Int.random(in: 0..<8, using: &dice) {
        case 0, 1: kind = .void(player, score: dice.pick(scores))
        case 2: kind = .hold(player, score: dice.pick(scores))
        case 3: kind = .clearAll(player)
        case 4: kind = .correct(player, score: dice.pick(scores), points: 5, earned: 3)
        case 5, 6: kind = .reverse(player, donation: dice.pick(donations), forfeits: dice.percent(50))
        default: kind = model.actions.suffix(20).randomElement(using: &dice).map { .undo($0.id) } ?? .clearAll(player)
        }
        return ModerationAction(kind, id: dice.uuid(), reason: try ModerationReason("because"))
    }
}

extension History {
    fileprivate mutating func judgedScores() throws -> [NewScore] {
        let batch = try scores()
        for score in batch { _ = model.judge(score) }
        return batch
    }

    fileprivate mutating func judgedDonations() throws -> [NewDonation] {
        let batch = try donations()
        for donation in batch { _ = model.judge(donation) }
        return batch
    }
}
