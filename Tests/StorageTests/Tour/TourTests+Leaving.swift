import Credentials
import Domain
import FoundationEssentials
import TestDatabases
import Testing

@testable import Storage

// The part of the tour on which names wait, reports are dismissed, a season begins and a player leaves.
extension TourTests {
    func leaving(
        _ database: TestDatabase, _ player: Player, moderate: (ModerationKind) async throws -> ModerationReceipt
    ) async throws {
        let store = database.store
        let game = try await database.addGame("approving")
        let word = try #require(RefusedWord("damned"))
        var change = GameChange()
        (change.names, change.refusedWords, change.takesEmail) = (.approved, RefusedWords([word]), false)
        change.friends = .codes
        (change.teams, change.teamSize, change.teamRosters) = (.codes, 2, .public)
        (change.flags, change.audience) = (true, .all)
        #expect(try await store.admin.setGame(game.slug, change, now: .noon) == .set)
        let listed = try #require(try await store.admin.findGame(game.slug))
        change = GameChange()
        change.takesEmail = false
        #expect(try await store.admin.setGame(game.slug, change, removesAddresses: true, now: .noon) == .set)
        #expect(try await store.admin.storedAddresses(of: game.slug) == StoredAddresses(addresses: 0, wishes: 0))
        #expect(
            listed.names == .approved && listed.refusedWords.texts == ["damned"] && !listed.takesEmail
                && listed.friends == .codes && listed.flags)
        #expect(listed.teams == .codes && listed.teamSize == 2 && listed.teamRosters == .public)

        let token = Token.generated(.device).hash
        let outcome = try await database.register("Waiting", in: game.slug, as: .token(token))
        guard case .registered(let waiting) = outcome else { throw TestDatabaseError("not registered") }
        let (own, _, _, _) = try await store.ownProfile(of: waiting.id, now: .noon)
        #expect(own.shown.name == "Waiting" && own.shownName?.hasPrefix("Player ") ?? false)
        let item = try #require(try await store.admin.queue(.name, limitRows: 9, withWords: true).first)
        #expect(item.player == waiting.id && item.why == "Waiting" && item.times == 1 && item.words == nil)
        #expect(try await moderate(.clearItem(item.item)).player == waiting.id)
        #expect(try await store.findProfile(waiting.id, in: nil)?.name == "Waiting")
        let queue = try await store.admin.queue(nil, limitRows: 9, withWords: true)
        let others = queue.map(\.item)
        if let last = queue.last {
            #expect(try await store.admin.queue(nil, after: last.key, limitRows: 9, withWords: true).isEmpty)
        }

        let report = Report(.cheating, try ReportWords("He flies.", field: "text"))
        #expect(try await store.add(report, of: waiting.id, by: player.id, from: nil, now: .noon) == false)
        let reported = try #require(
            try await store.admin.queue(nil, limitRows: 9, withWords: true).first { $0.player == waiting.id })
        #expect(reported.kind == .report && reported.words == ["He flies."] && reported.why == "cheating")
        #expect(try await store.admin.queue(.report, limitRows: 9, withWords: false).first?.words == nil)
        let dismissal = try await moderate(.clearItem(reported.item))
        #expect(try await store.admin.queue(nil, limitRows: 9, withWords: true).map(\.item) == others)
        _ = try await moderate(.undo(dismissal.id))
        #expect(try await store.admin.queue(nil, limitRows: 9, withWords: true).map(\.item).contains(reported.item))

        try await database.addBoard("seasons", in: game.slug)
        let reset = try await moderate(.reset(game: game.slug, board: .of("seasons")))
        #expect(reset.player == nil && reset.subject == "board=seasons;game=approving")
        #expect(try await store.admin.findAction(reset.id)?.receipt == reset)
        let past = try await store.pastSeasons(of: .of("seasons"), in: game.slug, from: nil, seasonsMax: 1)
        #expect(past.seasons.map(\.number) == [1] && past.seasons[0].winners.isEmpty && past.next == nil)
        var daily = BoardChange()
        daily.seasonEvery = .day
        #expect(try await store.admin.setBoard(.of("seasons"), in: game.slug, daily, now: .noon) == .set)
        let due = try await store.admin.dueSeasons(.noon(after: 1))
        #expect(due.map(\.season) == [2] && due.map(\.slug) == [.of("seasons")] && due.map(\.game) == [game.slug])
        #expect(due.map(\.board) == [try await store.findBoard(.of("seasons"), in: game.slug, now: .noon)?.id])

        let idle = try await store.idlePlayers(
            after: Player.ID(rawValue: waiting.id.rawValue - 1), since: .noon.advanced(bySeconds: 86_400 * 2),
            limitRows: 1)
        #expect(idle.map(\.player) == [waiting.id] && idle.map(\.isIdle) == [true])
        let wrong = ModerationAction(.erase(waiting.id, confirming: "Wait"), id: UUID(), reason: .left)
        #expect(try await store.admin.perform(wrong, by: "player", now: .noon) == .notConfirmed)
        let erase = try await moderate(.erase(waiting.id, confirming: "Waiting"))
        #expect(try await store.isErased(waiting.id))
        #expect(try await store.erasures(limitRows: 9).map(\.receipt) == [erase.id])
        #expect(try await store.findErasure(ofToken: token, now: .noon) == erase.id)
        #expect(try await store.add(report, of: waiting.id, by: player.id, from: nil, now: .noon) == nil)
        let later = Instant.noon.advanced(bySeconds: 86_400 * 31)
        #expect(try await store.findErasure(ofToken: token, now: later) == nil)
        #expect(try await store.findProfile(waiting.id, in: nil, withUnlisted: true) == nil)
        let again = ModerationAction(.erase(waiting.id, confirming: ""), id: UUID(), reason: .left)
        #expect(try await store.admin.perform(again, by: "player", now: .noon) == .conflict(erase.id))
    }
}
