import Credentials
import Domain
import Foundation
import Logging
import Postgres
import Statements
@testable import Storage
import TestDatabases
import Testing

/// The statements that a session has prepared, which are those that have run on it.
private struct Prepared: Query {
    static let sql: StaticString = "select statement from pg_prepared_statements"
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
}

@Suite struct TourTests {
    @Test("a tour of the whole store runs every statement and reads every column back as it was written") func tour()
        async throws
    {
        try await withTestDatabase { database in
            // One connection runs everything, so that it can tell at the end which statements it has run.
            let pool = Pool(database.server, limits: PoolLimits(connectionsMax: 1), logger: .none)
            let store = Store(general: pool, ledger: pool, logger: .none)
            var tour = database
            tour.store = store
            try await installation(tour)
            try await administration(tour)
            let player = try await players(tour)
            try await books(tour, player)
            try await rankings(tour, player)
            try await callers(tour, player)
            try await devices(tour, player)
            try await saves(tour)
            try await operators(tour, player)
            try await teams(tour)
            try await challenges(tour)
            try await awards(tour)
            try await actions(tour, player)
            try await donations(tour, player)
            try await holds(tour)
            try await closing(tour, player)
            try await plans(tour)
            try await sweeping(tour)
            try await notedBestPosts(tour)
            try await judgedFromMemory(tour)
            let findings = try await Auditor(store).findings()
            #expect(findings.count == 16)
            #expect(try await store.databaseState().isReadOnly == false)
            let replica = Replica(pool)
            #expect(await replica.answer(insteadOf: pool) { _ in 1 } == nil, "a primary is no standby")
            #expect(replica.counts == Replica.Counts(answered: 0, behind: 1, failed: 0))
            #expect(try await store.databaseClock().microsecondsSince1970 > 1_700_000_000_000_000)
            let vitals = try await store.databaseVitals()
            #expect(vitals.connections > 0 && vitals.connections <= vitals.connectionsMax && vitals.bytes > 0)
            #expect(vitals.tables.count == 8 && vitals.tables.allSatisfy { $0.deadRows >= 0 && $0.liveRows >= 0 })
            let sizes = try await store.tableSizes()
            #expect(sizes.count == 8 && sizes.allSatisfy { $0.bytes > 0 })
            #expect(try await store.databaseSettings().contains { $0.name == "shared_buffers" })
            let complaints = findings.filter { $0.compared == 0 || $0.differing > 0 || $0.example != nil }
            #expect(complaints.map { "\($0.subject): \($0.differing), \($0.example ?? "no example")" } == [])

            let run = Set(
                try await pool.withConnection { connection throws(PostgresError) in
                    try await connection.rows(Prepared())
                })
            let ofMigrator: Set = [
                "migration_record", "migration_patience", "migrations_applied", "migrations_exist", "migrations_lock",
                "migrations_table", "lock_holders", "roles_make", "grants_make", "publication_make",
                "schema_compatible", "statistics_refresh",
            ]
            let ofFollower: Set = [
                "boards_followed", "changes_published", "members_followed", "players_flagged", "snapshot_commits_open",
                "snapshot_parameters", "snapshot_shown", "players_hidden", "players_merged", "players_erased",
                "season_copy", "marker_emit", "window_copy",
            ]
            let ofBackups: Set = [
                "backup_snapshot_export", "ledger_sums", "relations_present", "archiver_state_read", "contents_read",
                "sessions_present",
            ]
            // Tests of their own run the statements of the demo, of the follower and of backups.
            #expect(
                SQL.all.filter {
                    !ofBackups.contains($0.name) && !ofMigrator.contains($0.name) && !ofFollower.contains($0.name)
                        && !$0.name.hasPrefix("demo_") && !run.contains($0.text.description)
                }.map(\.name) == [])
        }
    }

    private func installation(_ database: TestDatabase) async throws {
        let store = database.store
        let other = try #require(Secret(hex: String(repeating: "0", count: 64)))
        #expect(try await store.knows(database.secret) == nil)
        #expect(try await store.accepts(database.secret, now: .noon))
        #expect(try await store.knows(database.secret) == true)
        #expect(try await !store.accepts(other, now: .noon))
        #expect(try await store.knows(other) == false)
        #expect(try await store.serverRole() == ("causeboard_server", false))
        #expect(try await store.durability().synchronousCommit == "on")
        let version = try await store.serverVersion()
        #expect(version.number >= 150_000 && !version.isReadOnly)
    }

    private func players(_ database: TestDatabase) async throws -> Player {
        let store = database.store
        let hash = try #require(AvatarHash(bytes: Array(0..<32)))
        let registration = Registration(
            name: try PlayerName("Ada", field: "name"),
            email: .set(try EmailAddress("ada@example.org", field: "email")),
            facebookID: try FacebookID("77", field: "fb_uid"), wantsUpdates: true, source: "PUT /customers",
            avatar: .set(Avatar(hash: hash, png: [1, 2, 3])))
        let device = try database.device(of: "Ada")
        guard
            case .registered(let player) = try await store.register(
                registration, device: device, in: database.game.slug, now: .noon)
        else { throw TestDatabaseError("not registered") }
        #expect(player == Player(id: player.id, name: "Ada", wantsUpdates: true, avatar: hash))
        #expect(try await store.avatars([hash]) == [hash: [1, 2, 3]])
        let avatar = try #require(try await store.findAvatar(hash))
        #expect(avatar.png == [1, 2, 3] && avatar.isUsed)
        let name = try PlayerName("trees for all", field: "name")
        let call = try #require(try await store.findClassicCall(from: device, in: .defaultGame, name: name))
        #expect(call.game == database.game && call.player == player.id && call.isNameRefused)
        let profile = try #require(try await store.findProfile(player.id, in: database.game.slug))
        #expect(profile.id == player.id && profile.name == "Ada" && profile.avatar == hash)
        var subscribers: [Subscriber] = []
        try await store.admin.forEachSubscriber { subscribers.append($0) }
        let subscriber = try #require(subscribers.first)
        #expect(
            subscribers.count == 1 && subscriber.player == player.id && subscriber.game == "default"
                && subscriber.name == "Ada")
        #expect(
            subscriber.email == "ada@example.org" && subscriber.since == .noon && subscriber.source == "PUT /customers")
        return player
    }

    private func books(_ database: TestDatabase, _ player: Player) async throws {
        let id = UUID()
        let receipt = try await database.post(30, by: player.id, on: "high-scores", id: id, name: "A. L.")
        let board = try #require(try await database.store.findBoard(.highScores, in: .defaultGame, now: .noon))
        #expect(
            receipt
                == ScoreReceipt(
                    outcome: .recorded, player: player.id, id: id, board: board.id, ties: .first, points: 30,
                    earned: 30, best: 30, improved: true, balance: 30))
        let again = try await database.post(30, by: player.id, on: "high-scores", id: id, name: "A. L.")
        #expect(again.outcome == .retry && again.best == 30 && again.balance == 30)
        let donation = UUID()
        let donationBoard = try #require(try await database.store.findDonationBoard(.of("trees"), now: .noon))
        #expect(
            try await database.donate(10, by: player.id, to: "trees for ALL", id: donation)
                == DonationReceipt(
                    outcome: .recorded, row: player.id.rawValue, id: donation, charity: "trees", points: 10,
                    board: donationBoard.id, ties: .first, balance: 20))
        let retry = try await database.donate(10, by: player.id, to: "trees", id: donation)
        #expect(retry.outcome == .retry && retry.balance == 20)
    }

    private func callers(_ database: TestDatabase, _ player: Player) async throws {
        let store = database.store
        let (token, key, label) = (
            Token.generated(.device), Token.generated(.game), try DeviceLabel("u-7", field: "id")
        )
        let (added, number) = try await store.admin.addKey(key.hash, name: .of("arena"), to: .of("maze"), now: .noon)
        let id = try #require(number)
        #expect(added == .added)
        #expect(
            try await store.admin.addKey(key.hash, name: .of("arena"), to: .of("none"), now: .noon) == (.noGame, nil))
        #expect(try await store.findGame(ofKey: key.hash, now: .noon) == .of("maze"))
        let bob = Registration(
            name: try PlayerName("Bob", field: "name"), source: "test",
            country: .set(try CountryCode("nz", field: "country")))
        let external = database.secret.hash(ofExternal: label, in: .of("maze"))
        guard
            case .registered(let known) = try await store.register(
                bob, device: external, in: .of("maze"), access: .key(key.hash), now: .noon)
        else { throw TestDatabaseError("not registered") }
        let caller = Caller.key(key.hash, .external(external))
        guard case .known(known.id, own: known.id) = try await store.findCaller(caller, in: .of("maze"), now: .noon)
        else { throw TestDatabaseError("not known") }

        // The tour's player takes up a token and goes on with it.
        let device = try database.device(of: "Ada")
        let lost = NewScore(1, by: .device(device), on: .of("nowhere"), in: .defaultGame, id: UUID(), reachedAt: .noon)
        #expect(try await store.record([lost], now: .noon)[0].outcome == .noBoard)
        guard
            case .known = try await store.register(
                Registration(source: "test"), device: device, in: .defaultGame, access: .token(token.hash), now: .noon),
            case .known = try await store.change(bob, ofToken: token.hash, now: .noon)
        else { throw TestDatabaseError("not known") }
        let (own, donations, _, _) = try await store.ownProfile(of: player.id, now: .noon)
        #expect(own.shown.name == "Bob" && own.shown.avatar == player.avatar && own.country == "NZ" && own.wantsUpdates)
        #expect(own.held == 0 && own.earned - own.donated == own.balance && own.donated == 10)
        #expect(
            donations.map(\.charity) == ["trees"] && donations.map(\.points) == [10]
                && donations.map(\.isAnonymous) == [false])
        for _ in 0..<2 { try await store.endUpdates(of: player.id) }
        try await store.endUpdates(of: Player.ID(rawValue: player.id.rawValue ^ 1))
        try await store.admin.forEachSubscriber { _ in Issue.record("nobody has asked any longer") }
        let shown = try #require(try await store.findPublicProfile(of: player.id))
        #expect(
            shown.profile.name == "Bob"
                && shown.bests.map(\.board) == ["board-best", "board-latest", "board-sum", "high-scores"])
        #expect(
            shown.bests.allSatisfy { $0.game == "default" && $0.reachedAt == .noon }
                && shown.donations.map(\.points) == [10])

        let (score, donation) = (UUID(), UUID())
        let arrival = Instant.noon.advanced(bySeconds: 5)
        let posted = try await store.record(
            [
                NewScore(
                    31, by: .token(token.hash, claims: nil), on: .highScores, in: .defaultGame, id: score,
                    playedAt: .noon, detail: #"{"a":[1]}"#, reachedAt: arrival)
            ], now: .noon)
        let donated = try await store.donate(
            [
                NewDonation(
                    2, by: .token(token.hash, claims: player.id), to: CharityName(.of("trees")), id: donation,
                    isAnonymous: true, reachedAt: arrival)
            ], now: .noon)
        #expect(posted[0].outcome == .recorded && donated[0].outcome == .recorded && (donated[0].row ?? 0) < 0)
        let kept = try #require(
            try await store.findScore(score, of: player.id, on: .highScores, in: .defaultGame, now: .noon))
        #expect(
            kept.score.detail == #"{"a":[1]}"# && kept.score.playedAt == .noon && kept.score.season == 1
                && kept.receipt.improved)
        #expect(kept.receipt.best == 31 && kept.receipt.earned == 31 && kept.receipt.board == posted[0].board)
        let recordedDonation = try #require(
            try await store.findDonation(donation, of: player.id, to: .of("trees"), now: .noon))
        #expect(
            recordedDonation.donation.isAnonymous && recordedDonation.donation.points == 2
                && recordedDonation.receipt.balance == donated[0].balance)

        let newest = try await store.scores(of: player.id, before: nil, limitRows: 1, now: .noon)
        #expect(newest.map(\.id) == [score] && newest[0].game == "default" && newest[0].board == "high-scores")
        let newer = HistoryKey(reachedAt: .noon, id: score)
        let noon = try await store.scores(
            of: player.id, before: HistoryKey(reachedAt: arrival, id: score), limitRows: 9, now: .noon)
        #expect(noon.count == 4 && noon.allSatisfy { $0.reachedAt == .noon })
        #expect(
            try await store.scores(of: player.id, after: newer, limitRows: 9, now: .noon).contains { $0.id == score })
        #expect(try await store.donations(of: player.id, before: nil, limitRows: 9).map(\.points) == [2, 10])
        #expect(
            try await store.donations(of: player.id, after: HistoryKey(reachedAt: .noon, id: donation), limitRows: 9)
                .map(\.points).last == 2)

        #expect(try await store.admin.keys(in: .of("maze")).map(\.name) == ["arena"])
        #expect(try await store.admin.revokeKey(numbered: id, of: .defaultGame, now: .noon) == .noKey)
        #expect(try await store.admin.revokeKey(numbered: id, of: .of("maze"), now: .noon) == .set)
        #expect(try await store.admin.keys(in: .of("maze")).map(\.revokedAt) == [.noon])
        #expect(try await store.findGame(ofKey: key.hash, now: .noon) == nil)
        #expect(try await store.resetBoard(.of("board-best"), in: .defaultGame, now: arrival) == 2)
        #expect(try await store.resetBoard(.of("none"), in: .defaultGame, now: arrival) == nil)
        let seasons = try await store.seasons(of: .of("board-best"), in: .defaultGame, countMax: 50)
        #expect(seasons.map(\.number) == [2, 1] && seasons.map(\.endedAt) == [nil, arrival])
        let first = try #require(
            try await store.findBoard(.of("board-best"), in: .defaultGame, season: 1, now: arrival))
        #expect(first.endedAt == arrival)
        #expect(try await store.top(of: first, days: nil, limitRows: 9).count == 1)
    }
}
