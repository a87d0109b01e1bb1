import Domain
import Postgres
import Statements

/// Adds both ledgers up again by GROUP BY queries and compares every wallet, standing and tally.
package struct Auditor: Sendable {
    private let store: Store

    /// - Parameter store: Its sessions should be ``SessionPresets/auditing``.
    package init(_ store: Store) { self.store = store }

    private static let checks: [(subject: String, check: any Query<AuditedRows>)] = [
        ("ledger rows of a known player and place", AuditLedgers()), ("wallets against both ledgers", AuditWallets()),
        ("what does not count, by the corrections", AuditStates()), ("donations that are not funded", AuditFunding()),
        ("standings of score boards", AuditStandings(ledger: "score")),
        ("daily tallies of score boards", AuditTallies(ledger: "score")), ("best posts of players", AuditBestPosts()),
        ("standings of donation boards", AuditStandings(ledger: "donation")),
        ("daily tallies of donation boards", AuditTallies(ledger: "donation")),
        ("totals of charities", AuditCharityTotals()), ("days of charities with a cap", AuditCaps()),
        ("closed days of the books", AuditBooks()), ("runs of players' plans", AuditPlans()),
        ("stakes of challenges", AuditStakes()),
    ]

    /// How many checks there are: one for each statement, the awards, and the chain of the log.
    package static let checksCount = checks.count + 2

    /// Runs all checks on one snapshot, so that posts which arrive meanwhile make no difference.
    /// - Parameter note: Is told of each check when it is done.
    @discardableResult package func findings(_ note: (AuditFinding) -> Void = { _ in }) async throws(StoreError)
        -> [AuditFinding]
    {
        // A failure is not followed by a second attempt, which would tell of the first checks twice.
        do throws(PostgresError) {
            return try await store.generalPool.withConnection { connection throws(PostgresError) in
                try await connection.transaction(.repeatableReadReadOnly) { connection throws(PostgresError) in
                    var findings: [AuditFinding] = []
                    let now = try await connection.row(DatabaseClockRead())
                    let awards = AuditAwards(before: now.advanced(bySeconds: -Limits.awardsUndecidedSeconds))
                    for (subject, check) in Self.checks + [("awards of players", awards)] {
                        let rows = try await connection.row(check)
                        let finding = AuditFinding(
                            subject: subject, compared: rows.compared, differing: rows.differing, example: rows.example)
                        note(finding)
                        findings.append(finding)
                    }
                    let finding = try await logFinding(on: connection)
                    note(finding)
                    return findings + [finding]
                }
            }
        } catch { throw store.failure(error) }
    }
}

/// Follows the chain of the log's hashes from its first entry on, and looks for the entry of each action: what is
/// missing at the end breaks no chain.
private func logFinding(on connection: Connection) async throws(PostgresError) -> AuditFinding {
    var (hash, number, differing): ([UInt8], Int64, Int64) = (LogEntry.origin, 0, 0)
    var example: String?
    try await connection.forEach(LogChain()) { (logged) throws(PostgresError) in
        if !logged.follows(hash, number: number) {
            differing += 1
            example = example ?? "entry \(logged.entry.number)"
        }
        (hash, number) = (logged.hash, logged.entry.number)
    }
    let actions = try await connection.row(LogActions())
    return AuditFinding(
        subject: "entries of the log, each by the one before", compared: number,
        differing: differing + actions.differing, example: example ?? actions.first.map { "entry \($0)" })
}

extension Limits {
    /// Seconds within which it is decided about awards after a commit; the audit compares those that are older.
    fileprivate static let awardsUndecidedSeconds: Int64 = 60
}

/// The result of one check of the audit.
package struct AuditFinding: Sendable {
    package let subject: String
    /// How many rows were compared.
    package let compared: Int64
    /// How many rows differ from the ledgers.
    package let differing: Int64
    /// One of the rows that differ; nil when there is none.
    package let example: String?
}

/// The row that a statement of `SQL/audit/` returns: see ``AuditFinding``.
struct AuditedRows: Sendable {
    let compared: Int64
    let differing: Int64
    let example: String?
}
