import Glibc
import Logging

/// An embedded cluster that is moved to another major version of PostgreSQL, or back. While this lives, nobody else
/// opens it.
///
/// The new cluster is made beside the old one, in a data directory of its own, and takes its place at the very end. Who
/// is killed before that leaves the old one as it was, and the next run begins anew.
package final class ClusterUpgrade: Sendable {
    /// A database that is made beside the one of now.
    package enum Side: Sendable { case present, next }

    let settings: ClusterSettings
    let paths: Paths
    let user: ClusterUser
    private let presence: FileLock
    var swap: ClusterSwap { ClusterSwap(paths) }

    private init(_ settings: ClusterSettings, _ paths: Paths, _ user: ClusterUser, _ presence: FileLock) {
        (self.settings, self.paths, self.user, self.presence) = (settings, paths, user, presence)
    }

    /// Takes the cluster for itself alone, finishes a change of places that was ended, and ends what a killed run has
    /// left running.
    /// - Parameter settings: They are the ones with which the cluster as it is would be opened.
    package static func begin(_ settings: ClusterSettings) async throws(ClusterError) -> (
        upgrade: ClusterUpgrade, finished: Bool
    ) {
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let paths = try await DataDirectory.prepare(settings.dataDirectory, for: user)
        let presence = try FileLock(path: paths.upgradeLock)
        guard presence.attempt(.exclusive) else {
            throw .notUpgradable(
                """
                Somebody has the database in \(paths.data) open. Stop the server and every other causeboard on it \
                first; nothing was changed.
                """)
        }
        let upgrade = ClusterUpgrade(settings, paths, user, presence)
        let finished = try await upgrade.finishSwap()
        try await upgrade.endLeftovers()
        try await upgrade.remove(paths.removed)
        return (upgrade, finished)
    }

    /// Does a change of places to its end that was ended before.
    private func finishSwap() async throws(ClusterError) -> Bool {
        guard let direction = swap.pending else { return false }
        try swap.perform(all: direction)
        try await remove(paths.next)
        return direction == .forward
    }

    /// Ends programs of a run that was killed, which go on without it: `pg_upgrade`, and the servers that it started.
    private func endLeftovers() async throws(ClusterError) {
        for holder in ProcessTable.holders(ofLock: paths.runningLock) where holder.name == "pg_upgrade" {
            kill(-holder.pid, SIGKILL)
            kill(holder.pid, SIGKILL)
        }
        for data in [paths.data, paths.next] {
            let side = Paths(data: data)
            if let running = Postmaster.find(side, user: user) {
                kill(running.pid, SIGINT)
                _ = try await wait(upTo: Limits.fastShutdown) { () throws(ClusterError) in
                    !ProcessTable.isPostgres(running.pid, of: side.cluster, user: user)
                }
            }
            try await StaleState.endOrphans(of: side, user: user)
        }
    }

    // MARK: What there is

    /// The settings to open one of the two clusters.
    package func settings(_ side: Side, _ plan: UpgradePlan) -> ClusterSettings {
        var settings = settings
        settings.isUpgrading = side == .present
        settings.binariesDirectory = side == .present ? plan.oldBinaries : plan.newBinaries
        if side == .next { settings.dataDirectory = paths.next }
        return settings
    }

    /// What was noted about the previous cluster; nil when none is kept.
    package var previousNote: String? {
        guard FileStatus(paths.previous, following: false) != nil else { return nil }
        return SmallFile.read(paths.previousNote, bytesMax: Limits.noteBytesMax) ?? ""
    }

    /// The directory of the previous cluster.
    package var previousDirectory: String { paths.previous }

    /// The settings to open the cluster as it is, with the programs of its own version.
    package func presentSettings(_ named: [String]) async throws(ClusterError) -> ClusterSettings {
        var settings = settings
        settings.isUpgrading = true
        if let major = try Binaries.majorOfCluster(in: paths) {
            settings.binariesDirectory = try await Binaries.installed(named, as: user)[major]?.directory
        }
        return settings
    }

    // MARK: The new cluster

    /// Removes what is left of an earlier run, and makes an empty directory for the new cluster.
    package func prepareNext() async throws(ClusterError) {
        try await remove(paths.next)
        _ = try await DataDirectory.prepare(paths.next, for: user)
    }

    /// Makes the new cluster of the old one's files with `pg_upgrade`. The old one has to be stopped, and stays as it
    /// is. A cancelled task ends it.
    package func copyFiles(_ plan: UpgradePlan) async throws(ClusterError) {
        try await prepareNext()
        let next = Paths(data: paths.next)
        let new = Binaries(directory: plan.newBinaries, major: plan.to)
        let nextSettings = self.settings(.next, plan)
        try await Engine(settings: nextSettings, paths: next, user: user, binaries: new).make()
        let work = "\(paths.next)/work"
        guard mkdir(work, 0o700) == 0 else { throw .file("make the directory", work) }
        guard !user.isAnother || lchown(work, user.id, user.group) == 0 else { throw .file("give away", work) }
        let sockets = SocketDirectory.path(for: next, runtimeDirectory: settings.runtimeDirectory)
        try SocketDirectory.make(sockets, for: user)
        let running = try FileLock(path: paths.runningLock)
        guard try await running.acquire(.exclusive, within: Limits.orphansQuit) else {
            throw .heldByOthers(lock: paths.runningLock, holders: ProcessTable.holders(ofLock: paths.runningLock))
        }
        var command = Command(
            new.program("pg_upgrade"),
            [
                "--old-bindir=\(plan.oldBinaries)", "--new-bindir=\(plan.newBinaries)",
                "--old-datadir=\(paths.cluster)", "--new-datadir=\(next.cluster)",
                "--username=\(EmbeddedCluster.owner)", "--socketdir=\(sockets)",
            ], as: user, in: work)
        command.lock = running
        command.isCancellable = true
        let outcome: Command.Outcome
        do throws(ClusterError) { outcome = try await command.run(within: Limits.copying) } catch {
            running.release()
            try await endLeftovers()
            throw error
        }
        running.release()
        guard outcome.succeeded else {
            try await endLeftovers()
            throw .programFailed(program: "pg_upgrade", lines: ServerLog.last(outcome.output))
        }
        try carrySettings(to: next)
    }

    /// Takes along what an operator has set with `alter system`.
    package func carrySettings() throws(ClusterError) { try carrySettings(to: Paths(data: paths.next)) }

    private func carrySettings(to next: Paths) throws(ClusterError) {
        let name = "postgresql.auto.conf"
        guard let text = SmallFile.read("\(paths.cluster)/\(name)") else { return }
        try SmallFile.replace("\(next.cluster)/\(name)", with: text, owner: user)
    }

    // MARK: Changing places

    /// Puts the new cluster in the old one's place, and keeps the old one. Both have to be stopped.
    /// - Parameter note: What is to be known about it later.
    package func changePlaces(note: String) async throws(ClusterError) {
        try SmallFile.replace(paths.previousNote, with: note, owner: .ourselves)
        do throws(ClusterError) { try swap.decideAndPerform(.forward) } catch {
            if swap.isDecided { throw error }
            unlink(paths.previousNote)
            throw error
        }
        try await remove(paths.next)
    }

    /// Puts the previous cluster back in its place, and removes the other. It has to be stopped.
    package func goBack() async throws(ClusterError) {
        try swap.decideAndPerform(.back)
        try await remove(paths.removed)
    }

    /// Removes the previous cluster.
    package func removePrevious() async throws(ClusterError) {
        guard rename(paths.previous, paths.removed) == 0 else { throw .file("rename", paths.previous) }
        unlink(paths.previousNote)
        SmallFile.synchronizeDirectory(paths.data)
        try await remove(paths.removed)
    }

    /// Removes the new cluster, which did not come to be. Once it is to take the old one's place it stays, because the
    /// next run needs it.
    package func giveUp() async { if !swap.isDecided { try? await remove(paths.next) } }

    private func remove(_ directory: String) async throws(ClusterError) {
        guard FileStatus(directory, following: false) != nil else { return }
        let outcome = try await Command("/usr/bin/rm", ["-rf", "--", directory], as: .ourselves).run(
            within: Limits.copying)
        guard outcome.succeeded else { throw .programFailed(program: "rm", lines: ServerLog.last(outcome.output)) }
    }
}
