import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// The row of each anonymous donation.
private struct AnonymousRows: Query {
    static let sql: StaticString = "select player_id, id, row_id from donation where anonymous"
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (Model.DonationKey, Int64) {
        (Model.DonationKey(player: try row.next(), id: try row.next()), try row.next())
    }
}

// What the database answers about every ranking, beside what the model says.
extension TestDatabase {
    func compareBoards(_ model: Model, now: Instant) async throws {
        for slug in model.boards.keys.sorted() {
            let board = try #require(try await store.findBoard(.of(slug), in: .defaultGame, now: now))
            let rules = try #require(model.boards[slug])
            #expect(board.today == rules.day(now))
            try await compare(board) { model.ranking(slug, days: $0) }
            guard board.policy == .best else { continue }
            let posts = try await store.bestPosts(of: board.id, limitRows: 10, unreadMax: 2, now: now)
            let expected = model.bestPosts(slug, limit: 10)
            #expect(
                posts.map { BestPost(name: $0.name, points: $0.points, reachedAt: $0.reachedAt, entry: "") }
                    == expected.map {
                        BestPost(name: $0.name, points: Int64($0.place.points), reachedAt: $0.place.at, entry: "")
                    })
            #expect(Set(posts.map(\.entry)).count == posts.count)
        }
    }

    /// Compares the first rows and the size of every window, and all ranks of all time.
    func compare(_ board: Board, with ranking: (ClosedRange<Day>?) -> [Model.Entry]) async throws {
        for name in [
            "all", "today", "yesterday", "week", "month", "2026-10-25..2026-10-25", "2026-03-01..2026-12-31",
            "2026-W44",
        ] {
            let days = try #require(Window(name)).days(today: board.today)
            let expected = ranking(days)
            let comment: Comment = "\(board.slug) \(board.policy) \(name) of \(board.today)"
            for limit in [7, 101] {
                let top = try await store.top(of: board, days: days, limitRows: limit)
                #expect(top.map(\.modelEntry) == Array(expected.prefix(limit)), comment)
            }
            #expect(try await store.size(of: board.id, days: days) == Int64(expected.count), comment)
            let anonymous = expected.filter { $0.row < 0 }.count
            #expect(try await store.anonymousSize(of: board.id, days: days) == Int64(anonymous), comment)
        }
        let all = ranking(nil)
        for (index, place) in all.enumerated() {
            let shared = all.firstIndex { $0.points == place.points } ?? index
            let found = try await store.rankPositions(of: [place.row], on: board.id, days: nil).first
            #expect(
                found?.rankPosition.rank(board.ties).number == Int64(board.ties == .shared ? shared : index) + 1,
                "\(board.slug) \(place)")
        }
    }

    func compareDonations(_ model: Model, now: Instant) async throws {
        var model = model
        let rows = try await store.ledgerPool.withConnection { connection in try await connection.rows(AnonymousRows())
        }
        model.anonymousRows = Dictionary(uniqueKeysWithValues: rows)
        #expect(Set(model.anonymousRows.values).count == rows.count)
        #expect(
            Set(model.anonymousRows.keys)
                == Set(model.donations.filter(\.isAnonymous).map { Model.DonationKey(player: $0.player, id: $0.id) }))
        for slug in ["overall", "trees", "seas", "shut"] {
            let donationBoard = slug == "overall" ? Slug.overall : .of(slug)
            let board = try #require(try await store.findDonationBoard(donationBoard, now: now))
            var settings = NewBoard(donationBoard)
            (settings.policy, settings.pointsMin, settings.zone) = (.sum, 1, board.zone)
            let rules = Model.Rules(settings: settings, zone: try History.zone(board.zone))
            try await compare(board) { model.donationRows(slug, rules, days: $0) }
        }
        // Charities count donations of hidden players too.
        let received = model.charities.keys.map { slug in
            let donations = model.funded.filter { $0.place == slug }
            return (
                slug, donations.reduce(0) { $0 + Int128($1.points) },
                Int64(Set(donations.filter { !$0.isAnonymous }.map { model.survivor($0.player) }).count),
                donations.filter { !$0.isAnonymous }.map(\.at).max()
            )
        }
        let charities = try await store.charities(now: now)
        #expect(charities.map(\.slug).sorted() == received.map(\.0).sorted())
        for (slug, points, contributors, reachedAt) in received {
            let charity = try #require(charities.first { $0.slug == slug })
            #expect(charity.points == points && charity.contributors == contributors)
            #expect(charity.reachedAt == reachedAt, "\(slug)")
        }
        #expect(charities.map(\.points) == charities.map(\.points).sorted(by: >))
    }
}
