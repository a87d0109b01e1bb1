import Domain
import NIOCore
import Postgres
import Storage
import Synchronization
import TestDatabases

@testable import HTTP
@testable import Leaderboard

extension LiveHub {
    /// A hub whose feed cache knows nothing, so that each look reads every topic again.
    static func withoutCache(_ bounds: Bounds = Bounds(), ownVersions: @escaping OwnVersions = { _ in [:] }) -> LiveHub
    {
        let pool = Pool(
            ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5)),
            limits: PoolLimits(connectionsMax: 1), logger: .none)
        let store = Store(general: pool, ledger: pool, logger: .none)
        let clock = ServerClock { Instant(microsecondsSince1970: 0) }
        let rankings = Rankings(store: store, clock: clock, memory: LeaderboardMemory(store: store))
        return LiveHub(FeedCache(rankings), bounds: bounds, ownVersions: ownVersions)
    }
}

extension LiveState {
    /// A state of one document.
    static func top(_ text: String, isFinal: Bool = false, isCached: Bool = true) -> LiveState {
        LiveState(parts: [.of("top", text)], isFinal: isFinal, isCached: isCached)
    }
}

extension LiveState.Part {
    static func of(_ event: StaticString, _ text: String) -> LiveState.Part {
        let entity = Entity(bytes: Array("\(text)\n".utf8), contentType: "application/json", isGzip: false)
        return LiveState.Part(event: event, key: "\(event)", entity: entity)
    }
}

extension EventStream {
    /// A stream that nothing is told, for what only needs one.
    static var unbegun: EventStream? {
        try? LiveHub.withoutCache().open("a", .top("1"), number: 1, lastEventID: nil, at: LivePlace()) { .top("1") }
    }
}

/// What a topic shows, which a test changes, and how often it was read.
final class LiveSubject: Sendable {
    private let value: Mutex<LiveState>
    private let count = Atomic<Int>(0)

    init(_ state: LiveState) { value = Mutex(state) }

    var now: LiveState {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }

    var readsCount: Int { count.load(ordering: .relaxed) }

    func read() -> LiveState {
        count.wrappingAdd(1, ordering: .relaxed)
        return now
    }
}
