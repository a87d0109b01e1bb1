import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// What players want to be donated for them, and its versions.
@Suite struct PlanVersionTests {
    @Test("a plan is stored once, changed by who has seen it, and ended") func versions() async throws {
        try await withTestDatabase { database in
            for charity in ["water", "books"] { try await database.addCharity(charity) }
            let ada = try await database.teamPlayer("Ada")
            #expect(try await database.plan(["water": 60, "books": 40], of: ada) == .off)
            try await database.setPlans()
            let terms = PlanTerms(
                shares: [PlanShare(charity: .of("water"), share: 60), PlanShare(charity: .of("books"), share: 40)],
                interval: .week, keep: 5, isAnonymous: true)
            func put(_ terms: PlanTerms, seen: String?, by token: TokenHash? = nil, now: Instant = .noon) async throws
                -> PlanOutcome?
            { try await database.store.put(terms, for: token ?? ada.token, expected: seen, now: now) }
            #expect(try await put(terms, seen: "1-1") == .stale(nil))
            let first = PlanVersion(etag: "\(ada.id.rawValue)-1", since: .noon, nextOn: Instant.noon(after: 2).dayInUTC)
            #expect(try await put(terms, seen: nil) == .stored(first, isNew: true))
            #expect(try await put(terms, seen: nil) == .known(first))
            #expect(try await put(terms, seen: "anything", now: .noon(after: 1)) == .known(first))
            let found = try #require(try await database.store.findPlan(of: ada.id))
            #expect(found.plan == Plan(terms: terms, etag: first.etag, since: .noon, nextOn: first.nextOn))
            #expect(found.last == nil)
            let daily = PlanTerms(
                shares: [PlanShare(charity: .of("water"), share: 1)], interval: .day, keep: 0, isAnonymous: false)
            #expect(try await put(daily, seen: nil) == .stale(first.etag))
            #expect(try await put(daily, seen: "\(ada.id.rawValue)-2") == .stale(first.etag))
            let second = PlanVersion(
                etag: "\(ada.id.rawValue)-2", since: .noon(after: 1), nextOn: Instant.noon(after: 1).dayInUTC)
            #expect(try await put(daily, seen: first.etag, now: .noon(after: 1)) == .stored(second, isNew: false))
            // A version that never ran is gone.
            #expect(try await database.owner.ask("select version from plan") == ["2"])
            let end = try await database.store.endPlan(of: ada.token, expected: first.etag, now: .noon(after: 1))
            #expect(end == .stale(second.etag))
            #expect(
                try await database.store.endPlan(of: ada.token, expected: second.etag, now: .noon(after: 1)) == .ended)
            #expect(
                try await database.store.endPlan(of: ada.token, expected: second.etag, now: .noon(after: 1)) == .noPlan)
            #expect(try await database.store.findPlan(of: ada.id) == nil)
            // Its number is not used again.
            guard case .stored(let third, isNew: true)? = try await put(daily, seen: nil, now: .noon(after: 1)) else {
                Issue.record("not stored")
                return
            }
            #expect(third.etag == "\(ada.id.rawValue)-3")
            #expect(try await put(daily, seen: nil, by: Token.generated(.device).hash) == nil)
        }
    }

    @Test("a plan names charities that take donations, and who is banned makes none") func refused() async throws {
        try await withTestDatabase { database in
            try await database.setPlans()
            try await database.addCharity("water")
            try await database.addCharity("soon") { $0.opensAt = .set(.noon(after: 9)) }
            try await database.addCharity("over") { $0.closesAt = .set(.noon(after: 1)) }
            let ada = try await database.teamPlayer("Ada")
            #expect(try await database.plan(["water": 1, "nobody": 1], of: ada) == .noCharity("nobody"))
            let late = try await database.plan(["water": 1, "over": 1], of: ada, now: .noon(after: 1))
            #expect(late == .charityClosed("over"))
            guard case .stored? = try await database.plan(["water": 1, "soon": 1], of: ada) else {
                Issue.record("not stored")
                return
            }
            try await database.moderate(.ban(ada.id, until: nil))
            #expect(try await database.plan(["water": 2], of: ada) == .banned)
        }
    }

    @Test("a preview splits as the next run would, and says what is left out") func preview() async throws {
        try await withTestDatabase { database in
            try await database.setPlans()
            try await database.addCharity("water")
            try await database.addCharity("books") { $0.capOfDay = .set(30) }
            let ada = try await database.teamPlayer("Ada")
            #expect(try await database.store.previewPlan(of: ada.id, points: 100, now: .noon) == nil)
            try await database.plan(["water": 60, "books": 40], of: ada)
            let within = try #require(try await database.store.previewPlan(of: ada.id, points: 10, now: .noon))
            #expect(within.charities == [.of("books"), .of("water")] && within.split.points == [4, 6])
            let beyond = try #require(try await database.store.previewPlan(of: ada.id, points: 100, now: .noon))
            #expect(beyond.split.points == [0, 60] && beyond.split.skipped == [.capReached, nil])
        }
    }

    @Test("plans donate after each day, Sundays, and the last days of months, of leap years too") func days()
        async throws
    {
        try await withTestDatabase { database in
            var day = try #require(Day(year: 2027, month: 12, day: 1))
            let end = try #require(Day(year: 2028, month: 4, day: 2))
            while day <= end {
                let next = try await database.owner.ask(
                    """
                    select unnest(array[plan_day('day', '\(day.isoDate)'), plan_day('week', '\(day.isoDate)'),
                                        plan_day('month', '\(day.isoDate)')])
                    """)
                var sunday = day
                while sunday.isoWeekday != 7 { sunday = sunday.advanced(byDays: 1) }
                var last = day
                while last.advanced(byDays: 1).civil.day != 1 { last = last.advanced(byDays: 1) }
                #expect(next == [day.isoDate, sunday.isoDate, last.isoDate])
                let before = try await database.owner.ask(
                    """
                    select unnest(array[plan_day_before('day', '\(day.isoDate)'),
                                        plan_day_before('week', '\(sunday.isoDate)'),
                                        plan_day_before('month', '\(last.isoDate)')])
                    """)
                var month = last.advanced(byDays: -1)
                while month.advanced(byDays: 1).civil.day != 1 { month = month.advanced(byDays: -1) }
                let days = [day.advanced(byDays: -1), sunday.advanced(byDays: -7), month]
                #expect(before == days.map(\.isoDate))
                day = day.advanced(byDays: 1)
            }
        }
    }

    @Test("an erasure leaves nothing of a plan, and an export has all of it") func exported() async throws {
        try await withTestDatabase { database in
            try await database.setPlans()
            try await database.addCharity("water")
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            for player in [ada, bob] { try await database.plan(["water": 1], of: player) }
            try await database.addBoard("run") { $0.policy = .sum }
            try await database.post(5, by: ada.id, on: "run")
            let now = Instant.noon(after: 1)
            try await database.closeBooks(before: now)
            var cursor: PlanCursor?
            let decided = try await database.store.decidePlans(after: &cursor, now: now)
            #expect(decided.giving == 1 && decided.skipped == 1)
            #expect(try await database.store.exportedPlans(of: ada.id, after: nil, limitRows: 9).count == 1)
            let runs = try await database.store.exportedPlanRuns(of: ada.id, after: nil, limitRows: 9)
            #expect(runs.count == 1 && runs[0].run.lines.map(\.points) == [5] && runs[0].doneAt == nil)
            try await database.moderate(.erase(ada.id, confirming: "Ada"), at: now)
            #expect(try await database.owner.ask("select player_id from plan") == ["\(bob.id.rawValue)"])
            #expect(try await database.owner.ask("select player_id from plan_run") == ["\(bob.id.rawValue)"])
            #expect(try await database.store.openPlanRuns().isEmpty)
        }
    }
}
