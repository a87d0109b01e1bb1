import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Points that are too new to be donated.
@Suite struct SettlingTests {
    @Test("a donation may be as much as has settled, and is told when it may be more") func ready() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("slow") { $0.settleMinutes = 60 }
            try await database.addBoard("fast") { $0.settleMinutes = 1 }
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada")
            try await database.post(10, by: ada, on: "slow")
            try await database.post(20, by: ada, on: "fast", at: Instant.noon.advanced(bySeconds: 30))
            try await database.post(30, by: ada, on: "slow", at: Instant.noon.advanced(bySeconds: 60))
            func readyAt(_ points: Int64) async throws -> Int64? {
                let receipt = try await database.donate(
                    points, by: ada, to: "trees", at: Instant.noon.advanced(bySeconds: 70))
                let ready = try #require(receipt.outcome == .settling ? receipt.readyAt : nil)
                return (ready.microsecondsSince1970 - Instant.noon.microsecondsSince1970) / 1_000_000
            }
            #expect(try await readyAt(20) == 90)
            #expect(try await readyAt(21) == 3_600)
            #expect(try await readyAt(31) == 3_660)
            let late = Instant.noon.advanced(bySeconds: 3_600)
            #expect(try await database.donate(31, by: ada, to: "trees", at: late).outcome == .settling)
            #expect(try await database.donate(30, by: ada, to: "trees", at: late).outcome == .recorded)
        }
    }

    @Test("points settle at their time, also when later ones settle before them or at once") func soonest() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("slow") { $0.settleMinutes = 60 }
            try await database.addBoard("plain")
            try await database.addBoard("fast") { $0.settleMinutes = 1 }
            try await database.addBoard("timed") { ($0.holdRate, $0.settleMinutes) = (9, 1) }
            try await database.addCharity("trees")
            for board in ["plain", "fast", "timed"] {
                let player = try await database.addPlayer("Player of \(board)")
                try await database.post(10, by: player, on: "slow")
                try await database.post(20, by: player, on: board, at: Instant.noon.advanced(bySeconds: 30))
                let now = Instant.noon.advanced(bySeconds: 100)
                let refused = try await database.donate(21, by: player, to: "trees", at: now)
                #expect(refused.outcome == .settling && refused.balance == 30, "\(board)")
                #expect(refused.readyAt == Instant.noon.advanced(bySeconds: 3_600), "\(board)")
                #expect(
                    try await database.donate(20, by: player, to: "trees", at: now).outcome == .recorded, "\(board)")
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("what is held stays a secret for its time, also when a later one is told of sooner or at once") func secrets()
        async throws
    {
        try await withTestDatabase { database in
            for (board, minutes) in [("slow", 60), ("fast", 1), ("open", 0)] as [(String, Int32)] {
                try await database.addBoard(board) { ($0.judgeMinutes, $0.settleMinutes) = (5, minutes) }
            }
            for board in ["fast", "open"] {
                let player = try await database.addPlayer("Player of \(board)")
                let held = try await database.post(10, by: player, on: "slow")
                try await database.post(20, by: player, on: board, at: Instant.noon.advanced(bySeconds: 1))
                let now = Instant.noon.advanced(bySeconds: 120)
                let own = try await database.store.ownProfile(of: player, now: now).profile
                #expect(own.balance == 10 && own.held == 20, "\(board)")
                let again = try await database.post(10, by: player, on: "slow", id: held.id, at: now)
                #expect(again.outcome == .retry && again.state == .counted && again.balance == 10, "\(board)")
            }
        }
    }

    @Test("when a donation may be made is found out in one pass over what settles, however much that is")
    func manySettling() async throws {
        try await withTestDatabase { database in
            let slow = try await database.addBoard("slow") { $0.settleMinutes = 60 }
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada")
            try await database.post(1, by: ada, on: "slow")
            // A sum that began anew for each score would take a minute, and a statement may take ten seconds.
            try await database.owner.script(
                """
                insert into score (
                  player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at, improved, day)
                select \(ada.rawValue), gen_random_uuid(), \(slow.id.rawValue), 1, 1, false, v.at, v.at, false,
                       '2026-11-20'
                  from generate_series(1, 30000) n
                 cross join lateral (select '2026-11-20T12:00:00Z'::timestamptz + n * interval '10 ms') v(at);
                update wallet
                   set earned = earned + 30000, settles_at = '2026-11-20T13:05:00Z'
                 where player_id = \(ada.rawValue);
                analyze score;
                """)
            let donation = try await database.donate(5, by: ada, to: "trees", at: Instant.noon.advanced(bySeconds: 301))
            #expect(donation.outcome == .settling && donation.balance == 30_001)
            #expect(donation.readyAt == Instant.at("2026-11-20T13:00:00.04Z"))
        }
    }

    @Test("what is voided in secret is one until its own instant, also while a later score is secret for longer")
    func voidedSecrets() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let board = try await database.addBoard("trials") { $0.judgeMinutes = 5 }
            let ada = try await database.addPlayer("Ada")
            try await database.post(30, by: ada, on: "trials")
            try await database.post(20, by: ada, on: "trials", at: Instant.noon.advanced(bySeconds: 1))
            try await database.moderate(.voidAll(ada, heldOnly: true), at: Instant.noon.advanced(bySeconds: 2))
            let end = Instant.noon.advanced(bySeconds: 600)
            for (microseconds, best, balance) in [(-1, 30, 50), (0, 20, 20), (1_000_000, nil, 0)]
                as [(Int64, Int128?, Int64)]
            {
                let now = Instant(microsecondsSince1970: end.microsecondsSince1970 + microseconds)
                let place = try await store.findOwnPlace(of: ada, on: board.id, days: nil, now: now)
                #expect(place.map { 0 - $0.orderKey } == best, "\(microseconds)")
                #expect(try await store.ownProfile(of: ada, now: now).profile.balance == balance, "\(microseconds)")
            }
        }
    }

    @Test("a score that is held on a board whose points settle only since then is not told to be, nor can it be given")
    func heldSince() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("plain")
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada")
            let score = try await database.post(10, by: ada, on: "plain")
            var change = BoardChange()
            change.settleMinutes = .set(60)
            let outcome = try await store.admin.setBoard(.of("plain"), in: .defaultGame, change, at: nil, now: .noon)
                .outcome
            #expect(outcome == .set)
            try await database.moderate(.hold(ada, score: score.id))
            let (now, settled) = (Instant.noon.advanced(bySeconds: 60), Instant.noon.advanced(bySeconds: 3_600))
            #expect(try await store.ownProfile(of: ada, now: now).profile.balance == 10)
            let early = try await database.donate(10, by: ada, to: "trees", at: now)
            #expect(early.outcome == .settling && early.balance == 10 && early.readyAt == settled)
            #expect(try await database.donate(10, by: ada, to: "trees", at: settled).outcome == .overspent)
            #expect(try await database.auditComplaints() == [])
        }
    }
}
