import ArgumentParser
import Storage

struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Add both ledgers up again, compare every wallet, standing, tally and closed day, and follow the log's \
            chain of hashes. Exits 1 on any difference.
            """)

    @OptionGroup var database: DatabaseOptions

    @Flag(
        help: """
            First make what is derived from ledgers and corrections anew, and say what was changed. Posts wait \
            meanwhile. Ledgers and log stay as they are.
            """) var repair = false

    func run() async throws {
        try await Settings(database).requireDatabase()
        let findings = try await Database.withStore(database, session: SessionPresets.auditing) { [repair] store in
            if repair {
                var table = TextTable(["what was repaired", "rows"], alignedRight: [1])
                for (name, rows) in try await store.admin.repairRollups(by: "cli", now: .now) {
                    table.add([name, "\(rows)"])
                }
                try Output.line(table.text)
            }
            return try await Auditor(store).findings()
        }
        try AuditReport.write(findings)
    }
}

/// What an audit prints.
enum AuditReport {
    /// - Throws: `ExitCode(1)` when anything differs.
    static func write(_ findings: [AuditFinding]) throws {
        var table = TextTable(["what was compared", "rows", "differ", "for instance"], alignedRight: [1, 2])
        for finding in findings {
            table.add([finding.subject, "\(finding.compared)", "\(finding.differing)", finding.example ?? ""])
        }
        try Output.line(table.text)
        let differing = findings.reduce(Int64(0)) { $0 + $1.differing }
        try Output.line(differing == 0 ? "The books balance." : "\(differing) rows are not what the ledgers say.")
        if differing > 0 { throw ExitCode(1) }
    }
}
