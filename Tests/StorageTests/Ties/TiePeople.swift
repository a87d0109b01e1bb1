import Credentials
import Domain
import TestDatabases

@testable import Storage

/// A player with a device, who says something of others.
struct TiePerson: Sendable {
    let player: Player.ID
    let token: TokenHash

    init(_ name: String, _ database: TestDatabase) async throws {
        token = Token.generated(.device).hash
        guard case .registered(let player) = try await database.register(name, as: .token(token)) else {
            throw TestDatabaseError("not registered")
        }
        self.player = player.id
    }

    private func device(_ store: Store) async throws -> CallingDevice {
        guard let device = try await store.findDevice(ofToken: token) else { throw TestDatabaseError("no device") }
        return device
    }

    func ask(_ other: TiePerson, _ store: Store, now: Instant = .noon) async throws -> String {
        let asked = try await store.befriend(other.player, device: device(store), with: token, now: now)
        return asked.outcome.rawValue + (asked.areFriends ? " friends" : "")
    }

    func end(_ other: TiePerson, _ store: Store, now: Instant = .noon) async throws -> String {
        try await store.end(with: other.player, by: device(store), with: token, now: now).rawValue
    }

    func block(_ other: TiePerson, _ store: Store, now: Instant = .noon) async throws -> String {
        try await store.block(other.player, by: device(store), with: token, now: now).rawValue
    }

    func unblock(_ other: TiePerson, _ store: Store, now: Instant = .noon) async throws -> String {
        try await store.unblock(other.player, by: device(store), with: token, now: now).rawValue
    }

    func makeCode(_ database: TestDatabase, now: Instant = .noon) async throws -> CodeHash {
        let code = database.secret.hash(of: .generated(.friend), in: .defaultGame)
        let end = now.advanced(bySeconds: Limits.friendCodeHours * 3_600)
        guard try await database.store.makeFriendCode(code, for: token, now: now, expiresAt: end) else {
            throw TestDatabaseError("no code")
        }
        return code
    }

    func use(_ code: CodeHash, _ store: Store, now: Instant = .noon) async throws -> String {
        guard let maker = try await store.findMaker(of: code, now: now) else { return "refused" }
        return try await store.befriend(maker, by: code, device: device(store), with: token, now: now).outcome.rawValue
    }

    /// Its lists in the order of letters, such as `asking Cleo, friend Bob`.
    func lists(_ store: Store) async throws -> String {
        try await store.ties(of: player).map { "\($0.list.rawValue) \($0.other.name)" }.sorted().joined(separator: ", ")
    }
}

extension TestDatabase {
    /// Lets the players of the default game become friends.
    func allowFriends(_ rules: FriendRules = .requests) async throws {
        let outcome = try await store.admin.setGame(.defaultGame, friends: rules, now: .noon)
        guard outcome == .set else { throw TestDatabaseError("not set") }
    }

    /// Friends of whom one blocks the other. There must be none.
    func blockedFriends() async throws -> [String] {
        try await owner.ask(
            """
            select p.id || ' ' || f.player_id
              from player p
             cross join lateral friends_of(p.id, 1000) f
             where not exists (select from merge m where m.player_id = p.id)
               and exists (select from tie t
                            where t.says = 'block'
                              and (t.player_id = any(members(p.id)) and t.other_id = any(members(f.player_id))
                                   or t.player_id = any(members(f.player_id)) and t.other_id = any(members(p.id))))
            """)
    }
}
