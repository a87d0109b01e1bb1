import Domain
import FoundationEssentials
import TestDatabases
import Testing

@testable import Storage

/// An action that a state forbids says which action made the state.
@Suite struct ConflictTests {
    private static func conflict(_ kind: ModerationKind, _ database: TestDatabase) async throws -> UUID? {
        let action = ModerationAction(kind, id: UUID(), reason: try ModerationReason("a test"))
        let outcome = try await database.store.admin.perform(action, by: "cli", now: .noon)
        guard case .conflict(let other) = outcome else { throw TestDatabaseError("\(kind): \(outcome)") }
        return other
    }

    @Test("a score, all scores and a donation name what has moved them last") func ledgers() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("board") { $0.policy = .sum }
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada")
            let score = try await database.post(9, by: ada, on: "board").id
            #expect(try await Self.conflict(.clear(ada, score: score), database) == nil, "nothing has moved it yet")
            let void = try await database.moderate(.void(ada, score: score))
            #expect(try await Self.conflict(.void(ada, score: score), database) == void)
            #expect(try await Self.conflict(.hold(ada, score: score), database) == void)
            #expect(try await Self.conflict(.correct(ada, score: score, points: 1, earned: 1), database) == void)
            #expect(try await Self.conflict(.voidAll(ada, heldOnly: false), database) == void)
            #expect(try await Self.conflict(.clearAll(ada), database) == void)
            let undo = try await database.moderate(.undo(void))
            #expect(try await Self.conflict(.clear(ada, score: score), database) == undo, "nothing stands on it")
            #expect(try await Self.conflict(.undo(void), database) == void)

            let donation = try await database.donate(4, by: ada, to: "trees").id
            let reversal = try await database.moderate(.reverse(ada, donation: donation, forfeits: false))
            #expect(try await Self.conflict(.reverse(ada, donation: donation, forfeits: true), database) == reversal)
            let hiding = try await database.moderate(.anonymise(ada, donation: donation))
            #expect(try await Self.conflict(.anonymise(ada, donation: donation), database) == hiding)

            let second = try await database.post(5, by: ada, on: "board").id
            let correction = try await database.moderate(.correct(ada, score: second, points: 6, earned: 6))
            let hold = try await database.moderate(.hold(ada, score: correction))
            #expect(try await Self.conflict(.undo(correction), database) == hold)
        }
    }

    @Test("a player names who renamed it, merged it and erased it") func players() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let cy = try await database.addPlayer("Cy")
            let rename = try await database.moderate(.rename(ada, PlayerName("Zoe", field: "name")))
            #expect(try await Self.conflict(.rename(ada, PlayerName("Zoe", field: "name")), database) == rename)
            let again = try await database.moderate(.rename(ada, PlayerName("Eve", field: "name")))
            #expect(try await Self.conflict(.undo(rename), database) == again)
            let merge = try await database.moderate(.merge(bob, into: ada))
            #expect(try await Self.conflict(.merge(bob, into: cy), database) == merge)
            let erasure = try await database.moderate(.erase(ada, confirming: "Eve"))
            #expect(try await Self.conflict(.erase(ada, confirming: "Eve"), database) == erasure)
            #expect(try await Self.conflict(.merge(cy, into: ada), database) == erasure)
            #expect(try await Self.conflict(.rename(ada, PlayerName("Ada", field: "name")), database) == erasure)
        }
    }

    @Test("an undone rename brings the name back that waited, unless another one waits by then") func waiting()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let name = "select concat_ws(' ', name, asked_name, asked_at, name_waits) from player"
            try await database.owner.script(
                "update player set name_waits = true, asked_name = 'Waiting', asked_at = '2026-11-20T12:00:00Z'")
            let before = try await database.owner.ask(name)
            let rename = try await database.moderate(.rename(ada, PlayerName("Zoe", field: "name")))
            #expect(try await database.owner.ask(name) == ["Zoe t"])
            try await database.moderate(.undo(rename))
            #expect(try await database.owner.ask(name) == before)

            let other = try await database.moderate(.rename(ada, PlayerName("Zoe", field: "name")))
            try await database.owner.script("update player set asked_name = 'Newer', asked_at = '2026-11-21T12:00:00Z'")
            try await database.moderate(.undo(other))
            #expect(try await database.owner.ask(name).first?.hasPrefix("Ada Newer 2026-11-21") == true)
        }
    }

    @Test("a score that its game voided is cleared, and that is undone; one that an action voided is not")
    func verdicts() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let key = TokenHash(bytes: Array(repeating: 9, count: 32))
            _ = try await store.admin.addKey(key, name: .of("judge"), to: .defaultGame, now: .noon)
            try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            let ada = try await database.addPlayer("Ada")
            let score = try await database.post(5, by: ada, on: "trials").id
            let waiting = try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 9, now: .noon)
            let item = try #require(waiting.first).item
            #expect(
                try await store.admin.judge(item, of: .defaultGame, .void, by: key, marker: nil, now: .noon)
                    == .done(.voided))
            let state = "select coalesce((select state from score_state), 'counted')"
            for _ in 0..<2 {
                #expect(try await database.owner.ask(state) == ["voided"])
                let clear = try await database.moderate(.clear(ada, score: score))
                #expect(try await database.owner.ask(state) == ["counted"])
                #expect(try await database.owner.ask("select points from standing") == ["5"])
                #expect(try await Self.conflict(.clear(ada, score: score), database) == clear)
                #expect(try await database.auditComplaints() == [])
                try await database.moderate(.undo(clear))
            }
            try await database.moderate(.clear(ada, score: score))
            let void = try await database.moderate(.void(ada, score: score))
            #expect(try await Self.conflict(.clear(ada, score: score), database) == void)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a hold that its owner does not know of is not corrected, and corrected points settle like any others")
    func settling() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("slow") { $0.settleMinutes = 30 }
            let ada = try await database.addPlayer("Ada")
            let score = try await database.post(5, by: ada, on: "slow").id
            let hold = try await database.moderate(.hold(ada, score: score))
            let kind = ModerationKind.correct(ada, score: score, points: 3, earned: 3)
            #expect(try await Self.conflict(kind, database) == hold)
            #expect(try await database.store.scores(of: ada, before: nil, limitRows: 9, now: .noon).count == 1)
            let settled = Instant.noon.advanced(bySeconds: 1_800)
            try await database.moderate(kind, at: settled)

            let bob = try await database.addPlayer("Bob")
            let other = try await database.post(0, by: bob, on: "slow").id
            try await database.moderate(.correct(bob, score: other, points: 3, earned: 3))
            let profile = try await database.store.ownProfile(of: bob, now: .noon).profile
            #expect(profile.balance == 3 && profile.settling == 3)
            #expect(try await database.store.ownProfile(of: bob, now: settled).profile.settling == 0)
            #expect(try await database.auditComplaints() == [])
        }
    }
}
