package import Domain
package import FoundationEssentials
import Postgres

extension Administration {
    /// Reads entries of the log, the newest first.
    /// - Parameters:
    ///   - before: The number before which the first one stands; nil begins with the newest.
    ///   - rows: 1...101.
    package func log(before: Int64?, rows: Int32) async throws(StoreError) -> [LoggedEntry] {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(LogPage(before: before, rows: rows))
        }
    }

    /// Reads entries about actions on a player, the newest first.
    /// - Parameter showsAnonymous: Whether actions that tell what the player donated anonymously are there.
    package func actions(on player: Player.ID, before: Int64?, rows: Int32, showsAnonymous: Bool)
        async throws(StoreError) -> [LoggedEntry]
    {
        let query = PlayerActions(player: player, before: before, rows: rows, showsAnonymous: showsAnonymous)
        return try await store.general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// Whether an action would tell, or told, who made a donation anonymously. One that made it so tells those who
    /// repeat it nothing new.
    /// - Parameter id: The action's own.
    package func tellsOfAnonymity(_ kind: ModerationKind, _ id: UUID) async throws(StoreError) -> Bool {
        try await store.general { connection throws(PostgresError) in
            switch kind {
            case .reverse(let player, let donation, _):
                return try await connection.firstRow(DonationFound(player: player, donation: donation))?.isAnonymous
                    ?? false
            case .anonymise(let player, let donation):
                if try await connection.firstRow(ActionFind(action: id)) != nil { return false }
                return try await connection.firstRow(DonationFound(player: player, donation: donation))?.isAnonymous
                    ?? false
            case .undo(let action):
                return try await connection.firstRow(ActionRead(action: action))?.isAboutAnonymous ?? false
            default: return false
            }
        }
    }
}

extension Administration {
    /// Whether a moderation action merged two players. Its undo decides which devices belong to which player.
    package func isMerge(_ action: UUID) async throws(StoreError) -> Bool {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(ActionUndoable(action: action))?.kind == "merge"
        }
    }
}

/// The name of a player before it was renamed, and the one that waited, which an undo needs.
struct FormerName {
    let name: String
    let waiting: WaitingName
}

/// Adds an entry to the log as the last lock of a transaction.
struct LogWriter {
    let at: Instant
    let action: UUID?
    let actor: String
    let kind: String
    let subject: String
    let values: [(String, String)]
    let words: LogWords?
    var former: FormerName?

    /// - Returns: The entry's number.
    func write(on connection: Connection) async throws(PostgresError) -> Int64 {
        // The lock is taken before the statement that reads the last entry has its snapshot.
        _ = try await connection.row(LogLock())
        let last = try await connection.firstRow(LogLast())
        let entry = LogEntry(
            number: (last?.number ?? 0) + 1, at: at, action: action, actor: actor, kind: kind, subject: subject,
            values: values.canonicalText, wordsHash: words?.hash)
        let add = LogAdd(entry: entry, hash: entry.hash(after: last?.hash ?? LogEntry.origin))
        var writes: [any Query] = [add]
        if let words { writes.append(LogWordsAdd(number: entry.number, words: words, former: former)) }
        try await connection.run(all: writes)
        return entry.number
    }
}
