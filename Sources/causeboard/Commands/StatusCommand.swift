import ArgumentParser
import Domain
import Foundation
import HTTP
import Logging
import Telemetry

/// One screen that says how a server and its database are. It starts nothing: where no server answers, an embedded
/// database is not asked.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: """
            Say what is well, what is not, and what to do, by a server's admin listener and its database. \
            Exits 1 when something is not well.
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(\.adminListen) var adminListen: String?

    @Flag(help: "Print the findings as JSON.") var json = false

    func run() async throws {
        let settings = try await Settings(database)
        guard let admin = try AdminAddress.parsed(settings.value(\.adminListen, adminListen)), admin.port > 0,
            let base = HTTPAddress("http://\(AdminAddress.urlHost(admin.host)):\(admin.port)")
        else { throw CommandError("The admin listener is off, or its port is not known. Give it with --admin-listen.") }
        var findings = await Self.ofServer(base, of: SecretSource.installation(settings))
        let isServed = findings.first?.isWell == true
        findings += await Self.ofDatabase(settings, isServed: isServed)
        let isWell = findings.allSatisfy(\.isWell)
        if json {
            try Output.line("{\"well\":\(isWell),\"findings\":[\(findings.map(\.json).joined(separator: ","))]}")
        } else {
            try Output.line(Self.text(findings, isWell: isWell))
        }
        if !isWell { throw ExitCode(1) }
    }

    private static func text(_ findings: [Finding], isWell: Bool) -> String {
        var table = TextTable(["", "what", "how it is"])
        for finding in findings.filter({ !$0.isWell }) + findings.filter(\.isWell) {
            table.add([finding.isWell ? "ok" : "BAD", finding.what, finding.says])
        }
        let todos = findings.compactMap { finding in finding.todo.map { "- \(finding.what): \($0)" } }
        return table.text + (isWell ? "\n\nAll is well." : "\n\nWhat to do:\n" + todos.joined(separator: "\n"))
    }

    /// The first one says whether this installation's server answers.
    /// - Parameter installation: Nil when it is not known.
    private static func ofServer(_ base: HTTPAddress, of installation: String?) async -> [Finding] {
        func ask(_ path: String) async -> HTTPExchange.Incoming? {
            guard let address = HTTPAddress(base.description.dropLast() + path) else { return nil }
            return try? await HTTPExchange.send(.get, to: address, within: .seconds(5))
        }
        let name = base.description.dropLast()
        guard let ready = await ask("/readyz"), let report = Readiness.Answer(ready.body) else {
            return [
                Finding(
                    "server", isWell: false, "no answer at \(name)",
                    todo: "Start it (`causeboard serve`, or its unit), or name its admin listener with --admin-listen.")
            ]
        }
        if let installation, let other = ready.header(InstallationHeader.name), other != installation {
            return [
                Finding(
                    "server", isWell: false, "\(name) serves another installation",
                    todo: "Start this one's (`causeboard serve`, or its unit), or name its admin listener with "
                        + "--admin-listen.")
            ]
        }
        let scrape = await ask("/metrics").map { Scrape($0.body) }
        let now = Double(Instant.now.microsecondsSince1970) / 1_000_000
        return [Finding("server", isWell: true, "answers at \(name)")]
            + Finding.all(isReady: report.isReady, causes: report.causes)
            + (scrape.map { Finding.all(in: $0, now: now) } ?? [])
    }

    private static func ofDatabase(_ settings: Settings, isServed: Bool) async -> [Finding] {
        if case .embedded = settings.location, !isServed {
            return [Finding("database", isWell: true, "embedded, and not asked while no server runs it")]
        }
        do {
            try settings.requireDatabase()
            let results = try await Database.withDatabase(settings) { database, logger in
                try await Self.bounded { try await DatabaseChecks.results(database, settings, logger: logger) }
            }
            let troubles = results.filter { !$0.isGood }.map { result in
                Finding(result.name, isWell: false, result.says, todo: "`causeboard check` has all of it.")
            }
            let notes = results.filter(\.isNote).map { Finding($0.name, isWell: true, $0.says) }
            return notes
                + (troubles.isEmpty
                    ? [Finding("database", isWell: true, "\(results.count) checks are good")] : troubles)
        } catch {
            return [
                Finding(
                    "database", isWell: false, "it cannot be asked: \(CommandError.explaining(error))",
                    todo: "See that PostgreSQL runs, and give this command the server's settings.")
            ]
        }
    }

    /// Gives up on a database that does not answer, such as one whose tables are locked.
    private static func bounded<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
        -> Value
    {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .seconds(Limits.statusSecondsMax))
                throw CommandError(
                    "its checks had no answer within \(Limits.statusSecondsMax) s, as when its tables are locked")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
