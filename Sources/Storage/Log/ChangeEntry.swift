import Domain
import FoundationEssentials
import Postgres

/// The log entry about a setting, charity or key that an operator made, changed or ended.
struct ChangeEntry {
    /// The HTTP method that the admin API has for the change, also if it came another way.
    enum Method: String { case put = "PUT", patch = "PATCH", delete = "DELETE" }

    let method: Method
    let subject: [(String, String)]
    /// The new values, by the names of the settings.
    var values: [(String, SettingValue)] = []

    static func game(_ method: Method, _ game: Slug, _ values: [(String, SettingValue)]) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("game", game.description)], values: values)
    }

    static func board(_ method: Method, _ board: Slug, in game: Slug, _ values: [(String, SettingValue)]) -> ChangeEntry
    {
        ChangeEntry(
            method: method, subject: [("game", game.description), ("board", board.description)], values: values)
    }

    static func charity(_ method: Method, _ charity: Slug, _ values: [(String, SettingValue)]) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("charity", charity.description)], values: values)
    }

    static func provider(_ method: Method, _ provider: Slug, in game: Slug, _ values: [(String, SettingValue)] = [])
        -> ChangeEntry
    {
        ChangeEntry(
            method: method, subject: [("game", game.description), ("provider", provider.description)], values: values)
    }

    static func award(_ method: Method, _ award: Slug, in game: Slug, _ values: [(String, SettingValue)]) -> ChangeEntry
    {
        ChangeEntry(
            method: method, subject: [("game", game.description), ("award", award.description)], values: values)
    }

    static func campaign(_ method: Method, _ campaign: Slug, _ values: [(String, SettingValue)]) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("campaign", campaign.description)], values: values)
    }

    static func key(_ method: Method, _ id: UUID, _ values: [(String, SettingValue)] = []) -> ChangeEntry {
        ChangeEntry(method: method, subject: [("key", id.text)], values: values)
    }
}

extension Administration {
    /// Changes settings in one transaction, and says so in the log if that has changed something.
    /// - Parameters:
    ///   - entry: What the log says of it.
    ///   - actor: Who does it: a key's id, or `cli`.
    ///   - body: Makes the change, with its own locks before it.
    func changing<Value: Sendable>(
        logging entry: ChangeEntry, by actor: String, now: Instant,
        _ body: (Connection) async throws(PostgresError) -> (outcome: AdminOutcome, now: Value)
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: Value) {
        try await store.changing { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                let (outcome, after) = try await body(connection)
                if outcome == .added || outcome == .set {
                    let key = try await connection.row(LogKeyFind())
                    // This lock comes last, as in every transaction that writes the log.
                    let log = LogWriter(
                        at: now, action: nil, actor: actor, kind: entry.method.rawValue,
                        subject: entry.subject.canonicalText, values: entry.values.map { ($0, $1.logged(as: $0, key)) },
                        words: nil)
                    _ = try await log.write(on: connection)
                }
                return (outcome, after)
            }
        }
    }
}
