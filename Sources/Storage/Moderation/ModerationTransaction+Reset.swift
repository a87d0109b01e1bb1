import Domain
import FoundationEssentials
import Postgres

extension ModerationTransaction {
    /// Ends a board's season and begins the next one. It is about no player, so no wallet is locked.
    /// - Parameter ending: The season that ends; nil for the one that is played.
    func reset(_ board: Slug, in game: Slug, ending: Int32?) async throws(ModerationRollback) -> ModerationReceipt {
        let known = try await run { connection throws(PostgresError) in
            try await connection.lockTallies()
            return try await connection.firstRow(ActionFind(action: action.id))
        }
        if let known {
            let words = known.salt.map { LogWords(salt: $0, reason: action.reason.description, name: nil).hash }
            guard known.asked == action.kind.askedText, words == nil || words == known.wordsHash else {
                throw .answered(.idReused)
            }
            throw .answered(.repeated(receiptOfBoard(at: known.at, by: known.actor)))
        }
        let begun = try await run { connection throws(PostgresError) in
            try await connection.row(BoardReset(game: game, slug: board, now: now, ending: ending))
        }
        guard begun.0 == .set, let season = begun.season else {
            throw .answered(begun.0 == .closed ? .boardClosed : .noBoard)
        }
        let log = LogWriter(
            at: now, action: action.id, actor: actor, kind: action.kind.name, subject: action.kind.subjectText,
            values: [("season", String(season))], words: LogWords(reason: action.reason.description, name: nil))
        try await run { connection throws(PostgresError) in
            let entry = try await log.write(on: connection)
            try await connection.run(
                ActionAdd(
                    action: action, player: nil, into: nil, owner: nil, before: .zero, after: .zero, entry: entry,
                    now: now))
        }
        return receiptOfBoard(at: now, by: actor)
    }

    private func receiptOfBoard(at instant: Instant, by actor: String) -> ModerationReceipt {
        ModerationReceipt(
            id: action.id, kind: action.kind.name, player: nil, subject: action.kind.subjectText, at: instant,
            actor: actor, before: .zero, after: .zero, named: (.zero, .zero), funding: [])
    }
}
