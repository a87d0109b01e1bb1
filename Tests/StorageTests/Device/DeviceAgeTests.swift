import Credentials
import Domain
import TestDatabases
import Testing

@testable import Storage

/// How long a new device cannot harm older ones.
@Suite struct DeviceAgeTests {
    private static let day: Int64 = 24 * 60 * 60

    private static func code(_ database: TestDatabase, _ kind: PlayerCode.Kind, of token: TokenHash, now: Instant)
        async throws -> CodeHash
    {
        let code = database.secret.hash(of: .generated(kind), in: .defaultGame)
        #expect(try await database.store.makeCode(code, kind: kind.rawValue, for: token, now: now, expiresAt: nil))
        return code
    }

    @Test(
        "a device may cut off an older one after 24 hours to the microsecond, and a newer one at once",
        arguments: [-1, 0]) func cutting(microseconds: Int64) async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            let tokens = (0..<3).map { _ in Token.generated(.device).hash }
            _ = try await database.register("Ada", as: .token(tokens[0]))
            let joined = Instant.noon.advanced(bySeconds: 60)
            let pad = try await Self.code(database, .join, of: tokens[0], now: joined)
            #expect(try await database.join("pad", tokens[1], by: pad, now: joined) == "joined")
            let later = joined.advanced(bySeconds: 1)
            let tv = try await Self.code(database, .join, of: tokens[0], now: later)
            #expect(try await database.join("tv", tokens[2], by: tv, now: later) == "joined")
            let home = try database.hash("Ada", as: .classic)
            let end = joined.advanced(bySeconds: Self.day)
            let now = Instant(microsecondsSince1970: end.microsecondsSince1970 + microseconds)
            let outcome = try await store.cutOff(home, by: tokens[1], now: now)
            #expect(outcome == (microseconds < 0 ? .tooNew(until: end) : .cut))
            #expect(try await store.cutOff(database.hash("tv", as: .classic), by: tokens[1], now: joined) == .cut)
        }
    }

    @Test("a device is new while an older one exists, and a recovery code counts from its creation") func newness()
        async throws
    {
        try await withTestDatabase { database in
            let store = database.store
            let tokens = (0..<3).map { _ in Token.generated(.device).hash }
            _ = try await database.register("Ada", as: .token(tokens[0]))
            func newUntil(_ token: TokenHash, at now: Instant) async throws -> Instant? {
                try #require(try await store.findDevice(ofToken: token)).newUntil(at: now)
            }
            let early = Instant.noon.advanced(bySeconds: -Self.day)
            let written = try await Self.code(database, .recovery, of: tokens[0], now: early)
            let joined = Instant.noon.advanced(bySeconds: 1)
            #expect(try await database.join("found", tokens[1], by: written, now: joined) == "joined")
            let fresh = try await Self.code(database, .recovery, of: tokens[0], now: joined)
            #expect(try await database.join("thief", tokens[2], by: fresh, now: joined) == "joined")
            let end = joined.advanced(bySeconds: Self.day)
            for token in tokens[..<2] { #expect(try await newUntil(token, at: joined) == nil) }
            #expect(try await newUntil(tokens[2], at: joined) == end)
            #expect(try await newUntil(tokens[2], at: end) == nil)
            #expect(try await store.cutOff(database.hash("Ada", as: .classic), by: tokens[1], now: joined) == .cut)
        }
    }

    @Test("a device that comes with a merge is new from then on, however old it is") func merging() async throws {
        try await withTestDatabase { database in
            let tokens = (0..<2).map { _ in Token.generated(.device).hash }
            let old = Instant.noon.advanced(bySeconds: -9 * Self.day)
            let ada = try await database.register("Ada", as: .token(tokens[0])).player
            let bo = try await database.register("Bo", as: .token(tokens[1])).player
            try await database.owner.script(
                "update device set registered_at = '\(old.rfc3339(.microseconds))' where player_id = \(bo.rawValue)")
            let merge = try await database.moderate(.merge(bo, into: ada))
            let device = try #require(try await database.store.findDevice(ofToken: tokens[1]))
            let end = Instant.noon.advanced(bySeconds: Self.day)
            #expect(device.player == ada && device.newUntil(at: .noon) == nil, "both joined at the same time")
            try await database.owner.script(
                "update device set registered_at = '\(old.rfc3339(.microseconds))' where merged_from is null")
            #expect(try await database.store.findDevice(ofToken: tokens[1])?.newUntil(at: .noon) == end)
            try await database.moderate(.undo(merge))
            #expect(try await database.store.findDevice(ofToken: tokens[1])?.newUntil(at: .noon) == nil)
        }
    }

    @Test("a new device ends no unused code that an older device or an operator made") func codes() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let tokens = (0..<3).map { _ in Token.generated(.device).hash }
            let ada = try await database.register("Ada", as: .token(tokens[0])).player
            for (label, token) in [("pad", tokens[1]), ("tv", tokens[2])] {
                let code = try await Self.code(database, .join, of: tokens[0], now: .noon)
                let joined = Instant.noon.advanced(bySeconds: label == "pad" ? 1 : 2)
                #expect(try await database.join(label, token, by: code, now: joined) == "joined")
            }
            let now = Instant.noon.advanced(bySeconds: 3)
            let end = now.advanced(bySeconds: 900)
            func make(_ token: TokenHash, isNew: Bool, at now: Instant) async throws -> Bool {
                try await store.makeCode(
                    database.secret.hash(of: .generated(.join), in: .defaultGame), kind: "join", for: token, now: now,
                    expiresAt: end, isNewDevice: isNew)
            }
            #expect(try await make(tokens[2], isNew: true, at: now), "there is none")
            #expect(try await make(tokens[2], isNew: true, at: now), "its own")
            #expect(try await make(tokens[1], isNew: true, at: now), "a newer device's")
            #expect(try await !make(tokens[2], isNew: true, at: now), "an older device's")
            #expect(try await make(tokens[0], isNew: false, at: now))
            #expect(try await !make(tokens[1], isNew: true, at: now))
            #expect(try await make(tokens[1], isNew: true, at: end), "it has run out")
            let operators = database.secret.hash(of: .generated(.join), in: .defaultGame)
            #expect(try await store.makeCode(operators, for: ada, by: "opal", now: now, expiresAt: end))
            #expect(try await !make(tokens[1], isNew: true, at: now))
            #expect(try await make(tokens[0], isNew: false, at: now))
        }
    }
}

extension RegistrationOutcome {
    /// The player that a registration made.
    fileprivate var player: Player.ID {
        get throws {
            guard case .registered(let player) = self else { throw TestDatabaseError("not registered") }
            return player.id
        }
    }
}
