package import Domain
import ServiceLifecycle
import Standings
package import Storage
import Synchronization

/// Where scores and gifts come in: what arrives while a commit is under way is committed together by the next one, so an idle server adds no wait
/// and a busy one shares its commits. Nothing is acknowledged before its commit.
package final class Intake: Service {
    /// A receipt, and where the player stands now.
    package struct Recorded<Receipt: Sendable>: Sendable {
        package let receipt: Receipt
        /// Nil when the books are ahead of the standings, and counting would make others wait.
        package let place: PlaceNow?
    }

    /// Where a player stands now.
    package struct PlaceNow: Sendable, Equatable {
        /// As it is displayed; nil without a row on the board, and for a hidden player.
        package let rank: Int64?
        /// How many are ranked in all; nil when nobody asked.
        package let size: Int64?
    }

    private let store: Store
    private let clock: ServerClock
    private let sizes: BoardSizes
    private let standings: LiveStandings
    /// Ranks of posts that are being counted by SQL.
    private let counting = Mutex(0)
    private let lanes: [IntakeLane]

    /// - Parameter lanes: How many commits are under way at once, at most; a player's rows go through one of them, in their order. Fewer make larger
    ///   batches, which cost less.
    package init(store: Store, clock: ServerClock, memory: LiveMemory, lanes: Int) {
        self.store = store
        self.clock = clock
        sizes = memory.sizes
        standings = memory.standings
        self.lanes = (0..<max(lanes, 1)).map { _ in IntakeLane(store: store, clock: clock, echoes: memory.echoes) }
    }

    /// Rows that wait for their commit to begin.
    var waitingCount: Int { lanes.reduce(0) { $0 + $1.waitingCount } }

    /// Commits what comes in, until it is told to stop and everything is answered.
    package func run() async {
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                for lane in lanes { group.addTask { await lane.run() } }
            }
        } onGracefulShutdown: {
            for lane in self.lanes { lane.close() }
        }
    }

    /// Records a score. Whoever gives up waiting leaves the row in its batch.
    /// - Parameters:
    ///   - countsAll: Whether the answer says how many are ranked in all.
    ///   - score: Made for the time of its arrival.
    /// - Throws: `overloaded` at once when too many wait, or wait for too long; nothing is recorded then.
    package func record(countsAll: Bool, _ score: (Instant) -> NewScore) async throws -> Recorded<ScoreReceipt> {
        let score = score(clock.arrival())
        let receipt = try await lane(of: score.caller).receipt(of: score)
        guard receipt.outcome == .recorded || receipt.outcome == .retry else { return Recorded(receipt: receipt, place: nil) }
        return try await posted(receipt, row: receipt.player?.rawValue, on: receipt.board, ties: receipt.ties, countsAll: countsAll)
    }

    /// Records a gift, as ``record(countsAll:_:)`` a score. The rank is that on the charity's giving board.
    /// - Parameter gift: Made for the time of its arrival.
    package func give(_ gift: (Instant) -> NewGift) async throws -> Recorded<GiftReceipt> {
        let gift = gift(clock.arrival())
        let receipt = try await lane(of: gift.caller).receipt(of: gift)
        guard receipt.outcome == .recorded || receipt.outcome == .retry else { return Recorded(receipt: receipt, place: nil) }
        return try await posted(receipt, row: receipt.row, on: receipt.board, ties: receipt.ties, countsAll: false)
    }

    /// Registers a device that is not known yet by its first score, both or neither.
    package func recordFirstClassic(
        points: Int64, on board: Slug, in game: Game, by device: DeviceHash, name: PlayerName, source: String
    ) async throws(StoreError) -> FirstPost {
        try await store.registerAndRecord(Registration(name: name, source: source), device: device, in: game, now: clock.now) { player in
            NewScore(
                points, by: .player(player), on: board, in: game.slug, id: nil, name: name, isClassic: true, reachedAt: clock.arrival())
        }
    }

    /// Where a row stands now.
    /// - Parameters:
    ///   - row: Nil when there is none.
    ///   - board: Nil when there is none.
    package func place(ofRow row: Int64?, on board: Board.ID?, ties: Board.Ties?, countsAll: Bool) async throws -> PlaceNow {
        guard let row, let board, let ties else { return PlaceNow(rank: nil, size: nil) }
        if let place = livePlace(ofRow: row, on: board, ties: ties, countsAll: countsAll) { return place }
        let place = try await store.places(of: [row], on: board, days: nil).first?.place
        return PlaceNow(rank: place?.rank(ties).number, size: countsAll ? try await sizes.count(board) : nil)
    }

    private func livePlace(ofRow row: Int64, on board: Board.ID, ties: Board.Ties, countsAll: Bool) -> PlaceNow? {
        standings.read(board) { set in
            let rank = set.place(of: row).map { place in
                Ranks.number(position: Int64(place.position) + 1, sharedPosition: Int64(place.better) + 1, ties: ties)
            }
            return PlaceNow(rank: rank, size: countsAll ? Int64(set.count) : nil)
        }
    }

    /// Adds where a row stands that was posted just now. A post never waits for long to be told its rank: it is in the books.
    private func posted<Receipt>(_ receipt: Receipt, row: Int64?, on board: Board.ID?, ties: Board.Ties?, countsAll: Bool)
        async throws -> Recorded<Receipt>
    {
        if let row, let board, let ties, let place = livePlace(ofRow: row, on: board, ties: ties, countsAll: countsAll) {
            return Recorded(receipt: receipt, place: place)
        }
        let mayCount = counting.withLock { count in
            guard count < Limits.ranksCountedMax else { return false }
            count += 1
            return true
        }
        guard mayCount else { return Recorded(receipt: receipt, place: nil) }
        defer { counting.withLock { $0 -= 1 } }
        return Recorded(receipt: receipt, place: try? await place(ofRow: row, on: board, ties: ties, countsAll: countsAll))
    }

    private func lane(of caller: Caller) -> IntakeLane {
        lanes[Int(UInt(bitPattern: caller.hashValue) % UInt(lanes.count))]
    }
}
