import Credentials
import Domain
@testable import Storage
import TestDatabases

extension RegistrationOutcome {
    /// The name of the case, for comparisons.
    var word: String {
        switch self {
        case .registered: "registered"
        case .known: "known"
        case .renamed: "renamed"
        case .tooManyRenames: "tooManyRenames"
        case .banned: "banned"
        case .pictureRefused: "pictureRefused"
        case .nameMissing: "nameMissing"
        case .nameRefused: "nameRefused"
        case .wrongDevice: "wrongDevice"
        case .noGame: "noGame"
        case .unauthorized: "unauthorized"
        case .labelTaken: "label-taken"
        case .otherLabel: "other-label"
        case .forbidden: "forbidden"
        case .scope: "scope"
        case .tokenNeeded: "tokenNeeded"
        case .noFlags: "no-flags"
        case .flagFixed(let again): "flag-fixed \(again.rfc3339(.seconds))"
        }
    }
}

extension JoinOutcome {
    /// The name of the outcome, for comparisons.
    var word: String {
        switch self {
        case .joined: "joined"
        case .known: "known"
        case .codeRefused: "refused"
        case .unknownIdentity: "unknown-identity"
        case .hasHistory: "has-history"
        case .mergeLimit: "merge-limit"
        case .tooManyPoints: "too-many-points"
        case .historyTooLong: "history-too-long"
        case .unauthorized: "unauthorized"
        case .labelTaken: "label-taken"
        case .forbidden: "forbidden"
        case .scope: "scope"
        case .noGame: "no-game"
        case .banned: "banned"
        }
    }
}

extension FoundCaller {
    var word: String {
        switch self {
        case .known: "known"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .noPlayer: "noPlayer"
        }
    }
}

extension Registration {
    static func named(_ name: String?) throws -> Registration {
        Registration(name: try name.map { try PlayerName($0, field: "name") }, source: "test")
    }
}

extension TestDatabase {
    /// Registers under the name `label`: the device `phone of LABEL`, or with a key the game's own id `label`.
    func register(_ label: String, in game: Slug = .defaultGame, as access: Access) async throws -> RegistrationOutcome
    { try await register(label, named: label, in: game, as: access) }

    func register(_ label: String, named name: String?, in game: Slug = .defaultGame, as access: Access) async throws
        -> RegistrationOutcome
    {
        try await store.register(
            .named(name), device: hash(label, in: game, as: access), in: game, access: access, now: .noon)
    }

    func hash(_ label: String, in game: Slug = .defaultGame, as access: Access) throws -> DeviceHash {
        if case .key = access { return secret.hash(ofExternal: try DeviceLabel(label, field: "id"), in: game) }
        return secret.hash(of: try DeviceID("phone of \(label)", field: "phone"), in: game)
    }

    /// Brings the device `phone of LABEL` to the player of a code.
    /// - Returns: The name of the outcome, for comparisons.
    func join(
        _ label: String, _ token: TokenHash = Token.generated(.device).hash, by code: CodeHash, now: Instant = .noon
    ) async throws -> String { try await store.join(joining(label, token, by: code, now: now)).word }

    func joining(_ label: String, _ token: TokenHash, by code: CodeHash, now: Instant = .noon) throws -> Joining {
        let device = try hash(label, as: .classic)
        return Joining(
            device, in: .defaultGame, access: .token(token), by: .code(code), number: secret.number(of: device),
            name: nil, now: now)
    }

    /// Makes a code of the player of a token, for another device to join.
    func joinCode(of token: TokenHash) async throws -> CodeHash {
        let code = secret.hash(of: .generated(.join), in: .defaultGame)
        guard try await store.makeCode(code, kind: "join", for: token, now: .noon, expiresAt: nil) else {
            throw TestDatabaseError("no code")
        }
        return code
    }

    func change(_ token: TokenHash, _ change: (inout Registration) throws -> Void) async throws -> RegistrationOutcome {
        var registration = Registration(source: "test")
        try change(&registration)
        return try await store.change(registration, ofToken: token, now: .noon)
    }

    /// Adds a key to a game.
    /// - Parameter number: The number that the key must get.
    func addKey(to game: Slug, number: Int32 = 1) async throws -> TokenHash {
        let key = Token.generated(.game).hash
        guard try await store.admin.addKey(key, name: .of("key"), to: game, now: .noon) == (.added, number) else {
            throw TestDatabaseError("no key \(number)")
        }
        return key
    }

    /// Each player with the token of its device, or `-`, sorted by name. A device without a player, and a player
    /// without a device, shows as `?`.
    func contents() async throws -> [String] {
        try await owner.ask(
            """
            select coalesce(p.name, '?') || ' ' ||
                   case when d.hash is null then '?' else coalesce(encode(d.token_hash, 'hex'), '-') end
              from player p full join device d on d.player_id = p.id order by p.name
            """)
    }
}

extension [String] {
    /// How often each element occurs.
    var counts: [String: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

/// The results of a number of concurrent calls, in the order of their indices.
func together<Value: Sendable>(_ count: Int, _ call: @escaping @Sendable (Int) async throws -> Value) async throws
    -> [Value]
{
    try await withThrowingTaskGroup(of: (Int, Value).self) { calls in
        for index in 0..<count { calls.addTask { (index, try await call(index)) } }
        return try await calls.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
