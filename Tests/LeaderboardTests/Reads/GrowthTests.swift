import Domain
import Foundation
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import Leaderboard

@Suite struct GrowthTests {
    /// A clock that makes every read seem to take minutes while it is slow.
    private final class Clock: Sendable {
        private let state = Mutex((now: Instant.noon, isSlow: false))

        func now() -> Instant {
            state.withLock { state in
                if state.isSlow { state.now = state.now.advanced(bySeconds: 60) }
                return state.now
            }
        }

        func slowing<Value>(_ body: () async throws -> Value) async rethrows -> Value {
            state.withLock { $0.isSlow = true }
            defer { state.withLock { $0.isSlow = false } }
            return try await body()
        }
    }

    enum Change: CaseIterable { case hide, erase, anonymise, rename }

    @Test(
        "the donor of the largest donation is not named after a change, even while the charity's days are not reread",
        arguments: Change.allCases) func rests(change: Change) async throws
    {
        try await withTestDatabase { database in
            let trees = Slug.of("trees")
            try await database.addCharity("trees")
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 100), try await database.addPlayer("Bob", points: 100)
            )
            let donation = try await database.donate(30, by: ada, to: "trees").id
            try await database.donate(20, by: bob, to: "trees")
            let clock = Clock()
            try await withFollower(database, now: { clock.now() }) { live in
                try await live.catchUp()
                let rankings = live.rankings
                let first = try await clock.slowing { try await rankings.growth(of: trees).growth }
                #expect(first.largest?.name == "Ada" && first.days.map(\.points) == [50])
                try await database.donate(10, by: bob, to: "trees")
                try await live.wait("a growth that rests") {
                    try await live.catchUp()
                    let (growth, until) = try await rankings.growth(of: trees)
                    #expect(growth.days == first.days && growth.largest?.name == "Ada")
                    return until != nil
                }
                var shown = "Bob"
                switch change {
                case .hide: try await database.moderate(.hide(ada))
                case .erase:
                    try await database.moderate(.erase(ada, confirming: "Ada"))
                    shown = Standing.formerName
                case .anonymise:
                    let outcome = try await database.store.change(
                        donation, to: trees, of: ada, .anonymise, marker: nil, now: clock.now())
                    #expect(outcome == .done)
                    shown = Standing.anonymousName
                case .rename:
                    try await database.owner.script("update player set name = 'Eve' where id = \(ada.rawValue)")
                    shown = "Eve"
                }
                try await live.wait("\(shown) to be shown") {
                    try await live.catchUp()
                    return try await rankings.growth(of: trees).growth.largest?.name == shown
                }
                let (growth, until) = try await rankings.growth(of: trees)
                #expect((until != nil) == (change != .hide), "the rest goes on where the largest stays the largest")
                #expect(growth.largest?.points == (change == .hide ? 20 : 30))
            }
        }
    }
}
