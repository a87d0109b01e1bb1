import Domain
package import Storage
import Synchronization

/// Loads sample data into a database. Memory holds at most one transaction for each lane.
package struct DemoLoad: Sendable {
    /// Number of players that a lane takes at a time.
    private static let blockPlayers = 200

    private let data: DemoData
    private let loader: DemoLoader

    package init(_ data: DemoData, into loader: DemoLoader) {
        self.data = data
        self.loader = loader
    }

    /// - Parameters:
    ///   - lanes: Number of concurrent transactions; one lane generates players while another one waits for the
    ///     database. There are no more of them than the loader has connections for.
    ///   - progress: Called after each transaction with the number of players loaded so far.
    /// - Throws: `DemoError` before anything has changed; after any other error the database may hold a part of a
    ///   data.
    package func run(lanes: Int, progress: @escaping @Sendable (_ players: Int) -> Void) async throws -> DemoCounts {
        let ids = try Ids(data, await loader.prepare(data.fixtures()))
        let shared = Shared()
        var counts = try await loader.withBooksOpen {
            var sum = try await withThrowingTaskGroup(of: DemoCounts.self) { group in
                for _ in 0..<min(max(lanes, 1), loader.lanesMax) {
                    group.addTask { try await fill(Lane(data: data, loader: loader, ids: ids), shared, progress) }
                }
                var sum = DemoCounts()
                for try await counts in group { sum += counts }
                return sum
            }
            sum += try await loadContests(ids)
            return sum
        }
        counts.friendships = try await loadTies()
        counts.teams = try await loadTeams(ids.games)
        return counts
    }

    /// Loads challenges, plans and awards, after all players.
    private func loadContests(_ ids: Ids) async throws -> DemoCounts {
        let contests = DemoContests(data)
        let (game, end) = (DemoContests.game, data.playTimes.end)
        var rows = DemoContestRows()
        contests.addChallenges(on: ids.boards[game][0], charities: ids.charities, to: &rows)
        contests.addPlans(charities: ids.charities, to: &rows)
        contests.addGranted(to: &rows)
        var counts = DemoCounts()
        (counts.challenges, counts.plans) = (rows.challengesCount, rows.plansCount)
        counts.donations = try await loader.load(rows, of: data.games[game].slug, until: end)
        for game in data.games.indices where DemoAward.areComputed(in: data.games[game].slug) {
            let players = data.playersCounts[game]
            for first in stride(from: 0, to: players, by: Self.blockPlayers) {
                let block = first..<min(first + Self.blockPlayers, players)
                try await loader.giveAwards(of: ids.games[game], to: block.map { data.id($0, of: game) })
            }
        }
        return counts
    }

    /// Loads who is whose friend, once everybody is there.
    /// - Returns: The number of friendships.
    private func loadTies() async throws -> Int {
        let circles = DemoCircles(data)
        var ties = DemoTieRows()
        var friendships = 0
        for game in data.games.indices {
            for circle in 0..<circles.count(of: game) {
                friendships += circles.add(circle, of: game, to: &ties)
                if !ties.hasRoom { try await loader.load(&ties, until: data.playTimes.end) }
            }
        }
        try await loader.load(&ties, until: data.playTimes.end)
        return friendships
    }

    /// Loads teams, once everybody is there.
    /// - Parameter games: The ids of the data's games.
    /// - Returns: The number of teams.
    private func loadTeams(_ games: [Game.ID]) async throws -> Int {
        let teams = DemoTeams(data)
        var rows = DemoTeamRows()
        var count = 0
        for (game, id) in games.enumerated() {
            for block in 0..<teams.blocksCount(of: game) {
                count += teams.add(block, of: game, as: id, to: &rows)
                if !rows.hasRoom { try await loader.load(&rows, until: data.playTimes.end) }
            }
        }
        try await loader.load(&rows, until: data.playTimes.end)
        return count
    }

    private func fill(_ lane: consuming Lane, _ shared: Shared, _ progress: @Sendable (Int) -> Void) async throws
        -> DemoCounts
    {
        while let block = block(shared.takeBlock()) {
            for index in block.players {
                let count = try await lane.take(index, of: block.game)
                if count > 0 { progress(shared.add(players: count)) }
            }
        }
        let count = try await lane.flush()
        progress(shared.add(players: count))
        return lane.counts
    }

    /// The players of a block: game by game, and within a game by index; nil after the last block.
    private func block(_ number: Int) -> (game: Int, players: Range<Int>)? {
        var rest = number
        for (game, count) in data.playersCounts.enumerated() {
            let blocks = (count + Self.blockPlayers - 1) / Self.blockPlayers
            if rest < blocks {
                let first = rest * Self.blockPlayers
                return (game, first..<min(first + Self.blockPlayers, count))
            }
            rest -= blocks
        }
        return nil
    }
}

/// The state that all lanes share.
private final class Shared: Sendable {
    private let blocks = Mutex(0)
    private let players = Mutex(0)

    /// The number of the next block, from 0; each is taken once.
    func takeBlock() -> Int {
        blocks.withLock { taken in
            taken += 1
            return taken - 1
        }
    }

    /// - Returns: The number of players loaded so far.
    func add(players count: Int) -> Int {
        players.withLock { loaded in
            loaded += count
            return loaded
        }
    }
}

/// The database ids of the data's games, boards, charities and pictures, by their index in the data.
private struct Ids {
    let games: [Game.ID]
    let boards: [[Board.ID]]
    let charities: [Int32]
    let pictures: [AvatarHash]

    init(_ data: DemoData, _ ids: DemoIDs) throws(StoreError) {
        func found<ID>(_ id: ID?) throws(StoreError) -> ID {
            guard let id else { throw .wrongRowCount }
            return id
        }
        games = try data.games.map { game throws(StoreError) in try found(ids.game(game.slug)) }
        boards = try data.games.map { game throws(StoreError) in
            try game.boards.map { place throws(StoreError) in try found(ids.board(place.board.slug, in: game.slug)) }
        }
        charities = try data.charities.map { charity throws(StoreError) in try found(ids.charity(charity.slug)) }
        pictures = ids.pictures
    }
}

/// A task that loads players in one transaction after another.
private struct Lane {
    let data: DemoData
    let loader: DemoLoader
    let ids: Ids
    private(set) var counts = DemoCounts()
    private var rows = DemoRows()

    init(data: DemoData, loader: DemoLoader, ids: Ids) {
        self.data = data
        self.loader = loader
        self.ids = ids
    }

    /// - Returns: The number of players that were committed to make room for this one.
    mutating func take(_ index: Int, of game: Int) async throws -> Int {
        let player = data.player(index, of: game)
        let publishedRows = player.publishedRowsMax(boards: ids.boards[game].count)
        let committed = rows.hasRoom(publishedRows: publishedRows) ? 0 : try await flush()
        rows.addPlayer(
            player.id, in: ids.games[game], name: player.name, avatar: player.picture.map { ids.pictures[$0] },
            country: player.country, flag: player.flag, registeredAt: player.registeredAt, publishedRows: publishedRows)
        for score in player.scores {
            rows.addScore(
                score.id, of: player.id, on: ids.boards[game][score.board], points: score.points, earned: score.earned,
                isImprovement: score.isImprovement, detail: score.detail, at: score.reachedAt)
        }
        for donation in player.donations {
            rows.addDonation(
                donation.id, of: player.id, to: ids.charities[donation.charity], points: donation.points,
                isAnonymous: donation.isAnonymous, at: donation.reachedAt)
        }
        return committed
    }

    /// - Returns: The number of players that were committed.
    mutating func flush() async throws -> Int {
        try await loader.load(rows)
        let count = rows.playersCount
        counts += DemoCounts(players: count, scores: rows.scoresCount, donations: rows.donationsCount)
        rows.removeAll()
        return count
    }
}
