import Domain
import EmbeddedPostgres
import Foundation
import Logging
import Storage

/// The steps of `causeboard upgrade`.
struct Upgrade: Sendable {
    let settings: ClusterSettings
    /// Directories of programs to look in first.
    let named: [String]
    let logger: Logger
    let isQuiet: Bool

    private func say(_ text: String) { if !isQuiet { Output.hint(text) } }

    /// What is kept about the previous database.
    private struct Note: Codable {
        let from: Int
        let to: Int
        let at: String
        /// What was in the new database when it took the old one's place.
        let contents: [TableContents]

        init(of plan: UpgradePlan, contents: [TableContents]) {
            (from, to, at, self.contents) = (plan.from, plan.to, Instant.now.text, contents)
        }

        init(_ cluster: ExclusiveCluster) throws {
            guard let text = cluster.previousNote else {
                throw CommandError("No previous database is kept here, so there is nothing to finish or to return to.")
            }
            guard let note = try? JSONDecoder().decode(Note.self, from: Data(text.utf8)) else {
                throw CommandError(
                    """
                    What was noted about the previous database, beside it in \(cluster.previousDirectory).json, is \
                    gone or damaged. Put it back from a copy of the directory; or move the directories by hand.
                    """)
            }
            self = note
        }
    }

    func run(to wanted: Int?, isDry: Bool) async throws {
        let cluster = try await ExclusiveCluster(settings)
        if cluster.hasFinishedSwap {
            say("the last upgrade was ended at its last step, which is done now")
            return try sayDone(cluster)
        }
        let plan = try await cluster.plan(to: wanted, programs: named)
        say(
            """
            The database in \(settings.dataDirectory) is PostgreSQL \(plan.from) and takes \(plan.clusterMebibytes) MiB. \
            It is copied to PostgreSQL \(plan.to), which takes up to \(plan.neededMebibytes) MiB of the \
            \(plan.freeMebibytes) MiB that are free. The old one is kept.
            """)
        guard plan.freeMebibytes >= plan.neededMebibytes else {
            throw CommandError(
                """
                It takes \(plan.neededMebibytes) MiB beside the database, and \(plan.freeMebibytes) MiB are free. \
                Make room on the disk of \(settings.dataDirectory); nothing was changed.
                """)
        }
        if isDry { return say("nothing was changed") }
        do {
            let note = Note(of: plan, contents: try await copy(cluster, plan))
            say("the new database takes the old one's place")
            try await cluster.changePlaces(note: String(decoding: JSONEncoder().encode(note), as: UTF8.self))
        } catch {
            await cluster.giveUp()
            throw error
        }
        try sayDone(cluster)
    }

    private func copy(_ cluster: ExclusiveCluster, _ plan: UpgradePlan) async throws -> [TableContents] {
        try await cluster.makeNext(plan)
        let old = try await Database.open(cluster.settings(.present, binaries: plan.oldBinaries))
        return try await old.closing(logger: logger) {
            let new = try await Database.open(cluster.settings(.next, binaries: plan.newBinaries))
            return try await new.closing(logger: logger) {
                try await DatabaseCopy(
                    source: old, target: new, programs: plan.newBinaries, logger: logger, isQuiet: isQuiet
                ).run()
            }
        }
    }

    private func sayDone(_ cluster: ExclusiveCluster) throws {
        say(
            """
            The database is PostgreSQL \(try Note(cluster).to) now. Start the server. The previous one is kept in \
            \(cluster.previousDirectory): when you are content, `causeboard upgrade --finish` removes it; until \
            something is written, --back returns to it. Make a backup, and give `serve --archive` a new directory.
            """)
    }

    func goBack(losing: Bool) async throws {
        let cluster = try await ExclusiveCluster(settings)
        let note = try Note(cluster)
        let database = try await Database.open(try await cluster.settings(programs: named))
        let now = try await database.closing(logger: logger) {
            try await BackupSource(database.owner, logger: logger).contents()
        }
        let differences = TableContents.differences(from: note.contents, to: now)
        guard differences.isEmpty || losing else {
            throw CommandError(
                """
                Since the upgrade of \(note.at) something was written, which the previous database does not have: \
                \(differences.joined(separator: "; ")). Nothing was changed. To return to it and lose that, add \
                --lose-what-is-new; make a backup first.
                """)
        }
        try await cluster.goBack()
        say("The database is PostgreSQL \(note.from) again, as it was. Start the server with that version installed.")
    }

    func finish() async throws {
        let cluster = try await ExclusiveCluster(settings)
        let note = try Note(cluster)
        try await cluster.removePrevious()
        say("The database of PostgreSQL \(note.from) is removed. Its programs are not needed any more.")
    }
}
