import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

// The part of the tour that concerns boards and charities: their administration, and how they rank.
extension TourTests {
    func administration(_ database: TestDatabase) async throws {
        let store = database.store
        #expect(try await store.admin.addGame(.of("maze"), name: .of("The Maze"), salt: "s", now: .noon) == .added)
        #expect(try await store.admin.addGame(.of("maze"), name: .of("Twin"), now: .noon) == .exists)
        #expect(
            try await store.admin.setGame(.of("maze"), name: .of("Maze"), classic: .token, salt: .clear, now: .noon)
                == .set)
        #expect(
            try await store.admin.setGame(.of("none"), name: .of("None"), classic: nil, salt: .keep, now: .noon)
                == .noGame)
        let games = try await store.admin.games()
        #expect(games.map(\.slug) == ["default", "maze"])
        #expect(
            games.map(\.name.description) == ["Default", "Maze"] && games.map(\.classic) == [.open, .token]
                && games.map(\.hasSalt) == [false, false])
        #expect(try await store.openGames() == ["default"])

        try await database.addBoard("race") { board in
            board.lowestFirst = true
            board.earning = .fixed(5)
            board.earnMax = 7
            board.opensAt = .at("2026-01-01T00:00:00Z")
        }
        var change = BoardChange()
        change.ties = .shared
        change.earnDay = .set(9)
        change.earnMax = .clear
        change.closesAt = .set(.at("2027-01-01T00:00:00Z"))
        #expect(try await store.admin.setBoard(.of("race"), in: .defaultGame, change, now: .noon) == .set)
        #expect(try await store.admin.setBoard(.of("none"), in: .defaultGame, change, now: .noon) == .noBoard)
        change.zone = "Mars/Olympus"
        #expect(try await store.admin.setBoard(.of("race"), in: .defaultGame, change, now: .noon) == .badZone)
        #expect(try await store.admin.boards(of: .of("maze")).isEmpty)
        let boards = try await store.admin.boards(of: nil)
        #expect(boards.map(\.slug) == ["high-scores", "race", "overall", "charities"])
        let race = boards[1]
        #expect(
            race.kind == .score && race.game == "default" && race.season == 1 && race.name == .of("race")
                && race.policy == .best && race.lowestFirst)
        #expect(
            race.pointsMin == -Limits.walletPointsMax && race.pointsMax == Limits.walletPointsMax && race.zone == "UTC"
                && race.ties == .shared)
        #expect(race.earning == .fixed(5) && race.earnMax == nil && race.earnDay == 9)
        #expect(race.opensAt == .at("2026-01-01T00:00:00Z") && race.closesAt == .at("2027-01-01T00:00:00Z"))

        try await database.addCharity("trees", zone: "Europe/Berlin") { charity in
            charity.name = .of("Trees for All")
            charity.url = .set("https://trees.example")
            charity.goal = .set(1_000)
        }
        var changed = CharityChange()
        changed.description = .set("They plant.")
        #expect(try await store.admin.setCharity(.of("trees"), changed, now: .noon) == .set)
        #expect(try await store.admin.setCharity(.of("none"), changed, now: .noon) == .noCharity)
        changed.name = .of("trees  FOR all")
        #expect(try await store.admin.addCharity(.of("twin"), changed, now: .noon) == .nameTaken)
        try await database.addCharity("shut")
        #expect(try await store.admin.closeCharity(.of("shut"), now: .noon) == .set)
        #expect(try await store.admin.closeCharity(.of("none"), now: .noon) == .noCharity)
        #expect(try await store.admin.charityListings().map(\.closesAt) == [.noon, nil])
        let charity = try #require(try await store.admin.charityListings().last)
        #expect(
            charity.slug == "trees" && charity.name == .of("Trees for All") && charity.url == "https://trees.example")
        #expect(charity.description == "They plant." && charity.goal == 1_000 && charity.zone == "Europe/Berlin")
        #expect(charity.opensAt == nil && charity.closesAt == nil)
    }

    func rankings(_ database: TestDatabase, _ player: Player) async throws {
        let store = database.store
        let day = try #require(Day(year: 2026, month: 11, day: 20))
        for policy in Board.Policy.allCases {
            let name = "board-\(policy)"
            let board = try await database.addBoard(name, { $0.policy = policy })
            #expect(board.today == day && board.policy == policy && board.slug == name && board.kind == .score)
            try await database.post(40, by: player.id, on: name, detail: "[40]")
            let row = Standing(
                row: player.id.rawValue, name: "Ada", avatar: player.avatar, points: 40, reachedAt: .noon, orderKey: -40
            )
            for days in [nil, day...day] {
                let (standing, position) = try #require(
                    try await store.rankPositions(of: [player.id.rawValue], on: board.id, days: days).first.map {
                        ($0.standing, $0.rankPosition)
                    })
                #expect(
                    standing == row && position.sortKey == row.sortKey && position.points == 40
                        && position.position == 1 && position.sharedPosition == 1 && position.equals == 1)
                #expect(position.pointsAbove == nil && position.betterPoints == nil)
                let before = PageRequest.before(SortKey(orderKey: -39, reachedAt: .noon, row: 0))
                for pageRequest in [.top, .after(SortKey(orderKey: -41, reachedAt: .noon, row: 0)), before] {
                    let page = try await store.page(of: board.id, days: days, pageRequest: pageRequest, limitRows: 2)
                    #expect(
                        page.rows == [row] && page.position == 1 && page.sharedPosition == 1
                            && page.size == days.map { _ in 1 })
                }
                #expect(
                    try await store.summaries(of: [player.id]) == [
                        PlayerSummary(player: player.id, name: "Ada", avatar: player.avatar)
                    ])
                #expect(
                    try await store.summaries(after: Player.ID(rawValue: player.id.rawValue - 1), limitRows: 1) == [
                        PlayerSummary(player: player.id, name: "Ada", avatar: player.avatar)
                    ])
                let around = try await store.page(of: board.id, days: days, around: player.id, sideRows: 2)
                #expect(around.rows == [row] && around.position == 1)
                let points = try await store.pointsPosition(
                    ofOrderKey: board.orderKey(of: 40), on: board.id, days: days)
                #expect(points.position == 2 && points.sharedPosition == 1)
                #expect(try await store.top(of: board, days: days, limitRows: 10) == [row])
                #expect(try await store.size(of: board.id, days: days) == 1)
                #expect(try await store.anonymousSize(of: board.id, days: days) == 0)
            }
            // Nobody shows a flag here, and the board ranks no countries.
            for days in [nil, day...day] {
                let germany = try #require(CountryFlag("DE"))
                let page = try await store.page(
                    of: board.id, days: days, country: germany, pageRequest: .top, limitRows: 2)
                #expect(page.rows.isEmpty && page.size == nil)
                #expect(try await store.countrySums(of: board.id, days: days, in: nil) == [])
            }
            #expect(try await store.findRank(of: player.id, on: board) == 1)
            let rows = try await store.top(of: board, days: nil, limitRows: 10)
            for asking in [nil, player.id] where policy != .sum {
                #expect(try await store.details(of: rows, on: board.id, asking: asking) == [player.id.rawValue: "[40]"])
            }
        }
        #expect(try await store.listedGames().map(\.slug) == [.defaultGame, .of("maze")])
        #expect(try await store.newestDonations(to: nil, limitRows: 50).allSatisfy { $0.charity == "trees" })
        let largest = try #require(try await store.growth(of: .of("trees"), gamesMax: 5).largest)
        #expect(try await store.findShown(largest)?.charity == "trees")
        let board = try #require(try await store.findBoard(.highScores, in: .defaultGame, now: .noon))
        #expect(
            try await store.players(named: "ADA", in: .defaultGame, on: board.id, limitRows: 20).contains(player.id))
        #expect(try await store.findGame(of: player.id)?.name == "Default")
        let posts = try await notedBestPosts(database)
        #expect(posts.map { ($0.name, $0.points) }.first ?? ("", 0) == ("A. L.", 30))
        #expect(
            try await store.span(of: day...day, on: board) == .at(
                "2026-11-20T00:00:00Z")..<(.at("2026-11-21T00:00:00Z")))
        #expect(
            try await store.charities(now: .noon) == [
                Charity(
                    id: 1, slug: "trees", name: "Trees for All", points: 10, contributors: 1, reachedAt: .noon,
                    goal: 1_000, url: "https://trees.example", description: "They plant.", opensAt: nil, closesAt: nil,
                    isFinal: false),
                Charity(
                    id: 2, slug: "shut", name: "SHUT", points: 0, contributors: 0, reachedAt: nil, goal: nil, url: nil,
                    description: nil, opensAt: nil, closesAt: .noon, isFinal: true),
            ])
        let donationBoard = try #require(try await store.findDonationBoard(.overall, now: .noon))
        #expect(try await store.top(of: donationBoard, days: nil, limitRows: 10).map(\.points) == [10])
    }

    /// A first score is judged under the lock of its player, and the next one by what that left.
    func judgedFromMemory(_ database: TestDatabase) async throws {
        let player = try await database.addPlayer("Judged")
        // The books of the days before are closed.
        let later = Instant.noon.advanced(bySeconds: 400 * 86_400)
        let memory = BatchMemory { _, _ in .at(orderKey: -30, reachedAt: later) }
        for (points, way) in [(30, nil), (31, LedgerAnswer.OneTrip.written)] {
            let score = NewScore(
                Int64(points), by: .player(player), on: .highScores, in: .defaultGame, id: UUID(),
                reachedAt: later.advanced(bySeconds: Int64(points - 30)))
            let answer = try await database.store.commit(
                scores: [score], donations: [], isRepeated: false, marker: nil, memory: memory, now: later)
            #expect(answer.oneTrip == way && answer.scores.map { $0.balance } == [points == 30 ? 30 : 61])
        }
    }

    /// The best posts, which are noted by it.
    @discardableResult func notedBestPosts(_ database: TestDatabase) async throws -> [BestPost] {
        let store = database.store
        let board = try #require(try await store.findBoard(.highScores, in: .defaultGame, now: .noon))
        let tomorrow = Instant.noon.advanced(bySeconds: 86_400)
        return try await store.bestPosts(of: board.id, limitRows: 10, unreadMax: 0, now: tomorrow)
    }
}
