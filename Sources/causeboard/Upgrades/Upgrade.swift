import EmbeddedPostgres
import Domain
import Foundation
import Logging
import Postgres
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
    }

    // MARK: There

    func run(to wanted: Int?, byRows: Bool, isDry: Bool) async throws {
        let (upgrade, isFinished) = try await ClusterUpgrade.begin(settings)
        if isFinished {
            say("the last upgrade was ended at its last step, which is done now")
            return try sayDone(upgrade)
        }
        let plan = try await upgrade.plan(to: wanted, programs: named, byRows: byRows)
        sayPlan(plan)
        guard plan.freeBytes >= plan.neededBytes else {
            throw CommandError(
                """
                It takes \(Self.mebibytes(plan.neededBytes)) beside the database, and \
                \(Self.mebibytes(plan.freeBytes)) are free. Make room on the disk of \(settings.dataDirectory); \
                nothing was changed.
                """)
        }
        if isDry { return say("nothing was changed") }
        do {
            let contents = try await makeNext(upgrade, plan)
            say("step 5 of 5: the new database takes the old one's place")
            let note = Note(from: plan.from, to: plan.to, at: Instant.now.text, contents: contents)
            try await upgrade.changePlaces(note: String(decoding: JSONEncoder().encode(note), as: UTF8.self))
        } catch {
            await upgrade.giveUp()
            throw error
        }
        try sayDone(upgrade)
    }

    private func sayPlan(_ plan: UpgradePlan) {
        let way = plan.method == .files ? "pg_upgrade copies its files" : "pg_dump and pg_restore copy its rows"
        say(
            """
            The database in \(settings.dataDirectory) is PostgreSQL \(plan.from) and takes \
            \(Self.mebibytes(plan.clusterBytes)). It goes to PostgreSQL \(plan.to): \(way), which takes up to \
            \(Self.mebibytes(plan.neededBytes)) of the \(Self.mebibytes(plan.freeBytes)) that are free. \
            The old one is kept.
            """)
    }

    private func sayDone(_ upgrade: ClusterUpgrade) throws {
        let note = try Self.note(of: upgrade)
        say(
            """
            The database is PostgreSQL \(note.to) now. Start the server. The previous one is kept in \
            \(upgrade.previousDirectory): when you are content, `causeboard upgrade --finish` removes it; until \
            something is written, --back returns to it. Make a backup, and give `serve --archive` a new directory.
            """)
    }

    /// Makes the new database, and verifies it.
    /// - Returns: What is in it.
    private func makeNext(_ upgrade: ClusterUpgrade, _ plan: UpgradePlan) async throws -> [TableContents] {
        say("step 1 of 5: counting what is in the database")
        let old = try await open(upgrade, .present, plan)
        let before = try await closing(old) {
            let before = try await BackupSource(old.owner, logger: logger).contents()
            if plan.method == .rows {
                say("step 2 of 5: copying rows")
                try await upgrade.prepareNext()
                let new = try await open(upgrade, .next, plan)
                try await closing(new) { try await copy(old, new, plan).copyRows() }
            }
            return before
        }
        if plan.method == .rows {
            try upgrade.carrySettings()
        } else {
            say("step 2 of 5: copying files")
            try await upgrade.copyFiles(plan)
        }
        say("step 3 of 5: comparing")
        let new = try await open(upgrade, .next, plan)
        return try await closing(new) {
            let copy = copy(new, new, plan)
            try await copy.compare(before)
            say("step 4 of 5: auditing")
            try await copy.verify()
            return try await BackupSource(new.owner, logger: logger).contents()
        }
    }

    private func copy(_ source: Database, _ target: Database, _ plan: UpgradePlan) -> DatabaseCopy {
        DatabaseCopy(source: source, target: target, programs: plan.newBinaries, logger: logger, isQuiet: isQuiet)
    }

    private func open(_ upgrade: ClusterUpgrade, _ side: ClusterUpgrade.Side, _ plan: UpgradePlan) async throws
        -> Database
    { try await Database.open(upgrade.settings(side, plan)) }

    private func closing<Value>(_ database: Database, _ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await database.close(logger: logger)
            return value
        } catch {
            await database.close(logger: logger)
            throw error
        }
    }

    // MARK: And back

    func goBack(losing: Bool) async throws {
        let (upgrade, _) = try await ClusterUpgrade.begin(settings)
        let note = try Self.note(of: upgrade)
        let database = try await Database.open(try await upgrade.presentSettings(named))
        let now = try await closing(database) {
            try await BackupSource(database.owner, fence: database.fence, logger: logger).contents()
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
        try await upgrade.goBack()
        say("The database is PostgreSQL \(note.from) again, as it was. Start the server with that version installed.")
    }

    func finish() async throws {
        let (upgrade, _) = try await ClusterUpgrade.begin(settings)
        let note = try Self.note(of: upgrade)
        try await upgrade.removePrevious()
        say("The database of PostgreSQL \(note.from) is removed. Its programs are not needed any more.")
    }

    private static func note(of upgrade: ClusterUpgrade) throws -> Note {
        guard let text = upgrade.previousNote else {
            throw CommandError("No previous database is kept here, so there is nothing to finish or to return to.")
        }
        guard let note = try? JSONDecoder().decode(Note.self, from: Data(text.utf8)) else {
            throw CommandError(
                """
                What was noted about the previous database, beside it in \(upgrade.previousDirectory).json, is gone \
                or damaged. Put it back from a copy of the directory; or move the directories by hand.
                """)
        }
        return note
    }

    private static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}

extension Database {
    /// Opens an embedded database with settings of its own.
    static func open(_ settings: ClusterSettings) async throws -> Database {
        let cluster = try await EmbeddedCluster.open(settings, as: .visitor)
        return Database(
            owner: cluster.conninfo(login: EmbeddedCluster.owner),
            server: cluster.conninfo(login: SessionPresets.serverRole),
            stream: cluster.conninfo(login: SessionPresets.streamRole), cluster: cluster)
    }
}
