import Postgres
import Statements

/// Adds both ledgers up again by GROUP BY queries and compares every wallet, standing and tally.
package struct Auditor: Sendable {
    private let store: Store

    /// - Parameter store: Its sessions should be ``SessionPresets/auditing``.
    package init(_ store: Store) { self.store = store }

    private static let checks: [any AuditCheck.Type] = [
        AuditLedgers.self, AuditWallets.self, AuditStates.self, AuditFunding.self, AuditStandings.self,
        AuditTallies.self, AuditBestPosts.self, AuditDonationStandings.self, AuditDonationTallies.self,
        AuditCharityTotals.self, AuditCaps.self, AuditBooks.self,
    ]

    /// How many checks there are: one for each statement, and the chain of the log.
    package static let checksCount = checks.count + 1

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
                    for check in Self.checks {
                        let finding = try await Self.finding(check, on: connection)
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

    private static func finding<Check: AuditCheck>(_: Check.Type, on connection: Connection) async throws(PostgresError)
        -> AuditFinding
    { try await connection.row(Check()) }
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

/// A query of `SQL/audit/`. Each of them returns one row of the same shape.
protocol AuditCheck: Query where Row == AuditFinding {
    static var subject: String { get }
    init()
}

extension AuditCheck {
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> AuditFinding {
        try AuditFinding(subject: subject, compared: row.next(), differing: row.next(), example: row.next())
    }
}

struct AuditLedgers: AuditCheck {
    static let sql = SQL.auditLedgers
    static let subject = "ledger rows of a known player and place"
}

struct AuditWallets: AuditCheck {
    static let sql = SQL.auditWallets
    static let subject = "wallets against both ledgers"
}

struct AuditStates: AuditCheck {
    static let sql = SQL.auditStates
    static let subject = "what does not count, by the corrections"
}

struct AuditFunding: AuditCheck {
    static let sql = SQL.auditFunding
    static let subject = "donations that are not funded"
}

struct AuditStandings: AuditCheck {
    static let sql = SQL.auditStandings
    static let subject = "standings of score boards"
}

struct AuditTallies: AuditCheck {
    static let sql = SQL.auditTallies
    static let subject = "daily tallies of score boards"
}

struct AuditBestPosts: AuditCheck {
    static let sql = SQL.auditBestPosts
    static let subject = "best posts of players"
}

struct AuditDonationStandings: AuditCheck {
    static let sql = SQL.auditDonationStandings
    static let subject = "standings of donation boards"
}

struct AuditDonationTallies: AuditCheck {
    static let sql = SQL.auditDonationTallies
    static let subject = "daily tallies of donation boards"
}

struct AuditCharityTotals: AuditCheck {
    static let sql = SQL.auditCharityTotals
    static let subject = "totals of charities"
}

struct AuditCaps: AuditCheck {
    static let sql = SQL.auditCaps
    static let subject = "days of charities with a cap"
}

struct AuditBooks: AuditCheck {
    static let sql = SQL.auditBooks
    static let subject = "closed days of the books"
}
