import ArgumentParser
import Storage

struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add both ledgers up again and compare every wallet, standing and tally. Exits 1 on any difference."
    )

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await Settings(database).requireDatabase()
        let findings = try await Database.withStore(database, session: SessionPresets.auditing) { store in
            try await Auditor(store).findings()
        }
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
