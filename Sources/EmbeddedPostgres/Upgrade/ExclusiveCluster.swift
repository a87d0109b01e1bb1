import Glibc

/// An embedded cluster that only this process has open, to copy its database to another version or place. While this
/// lives, nobody else opens it.
///
/// The copy for another version is made beside the cluster, in a data directory of its own, and takes its place at the
/// very end. If the process is killed before that, the cluster is as it was.
package final class ExclusiveCluster: Sendable {
    /// The cluster itself, or the one that is made beside it.
    package enum Side: Sendable { case present, next }

    let settings: ClusterSettings
    let paths: Paths
    let user: ClusterUser
    /// Whether this finished the swap of a killed run, so that the cluster has the new version now.
    package let hasFinishedSwap: Bool
    private let presence: FileLock
    private var swap: ClusterSwap { ClusterSwap(paths) }

    /// Takes the cluster for itself alone, and finishes or removes what a killed run left.
    /// - Parameter settings: Those with which the cluster would be opened.
    /// - Throws: `.inUse` while somebody has it open.
    package init(_ settings: ClusterSettings) async throws(ClusterError) {
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let paths = try await DataDirectory.prepare(settings.dataDirectory, for: user)
        let presence = try FileLock(path: paths.upgradeLock)
        guard presence.attempt(.exclusive) else { throw .inUse(directory: paths.data) }
        try Self.requireHere(paths.data)
        let swap = ClusterSwap(paths)
        let pending = swap.pending
        if let pending { try swap.perform(all: pending) }
        // A mark that cannot be read may be that of a swap which needs the copy.
        try swap.requireNone()
        (self.settings, self.paths, self.user, self.presence) = (settings, paths, user, presence)
        hasFinishedSwap = pending == .forward
        // The PostgreSQL of a server that was killed may still serve its last statements.
        try await endLeftovers(of: paths)
        try await removeNext()
        try await removeTree(paths.removed)
    }

    /// The settings to open one of the two clusters.
    /// - Parameter binaries: The directory of its programs; nil to look for them.
    package func settings(_ side: Side, binaries: String?) -> ClusterSettings {
        var settings = settings
        settings.isExclusive = side == .present
        settings.binariesDirectory = binaries
        if side == .next { settings.dataDirectory = paths.next }
        return settings
    }

    /// The settings to open the cluster, with the programs of its own version.
    package func settings(programs named: [String]) async throws(ClusterError) -> ClusterSettings {
        guard let major = try Binaries.majorOfCluster(in: paths) else { return settings(.present, binaries: nil) }
        return settings(.present, binaries: try await Binaries.installed(named, as: user)[major]?.directory)
    }

    // MARK: The copy beside it

    /// Makes an empty cluster beside this one, with the settings that an operator made with `alter system`.
    package func makeNext(_ plan: UpgradePlan) async throws(ClusterError) {
        let next = try await DataDirectory.prepare(paths.next, for: user)
        let binaries = Binaries(directory: plan.newBinaries, major: plan.to)
        let settings = settings(.next, binaries: plan.newBinaries)
        try await Engine(settings: settings, paths: next, user: user, binaries: binaries).make()
        let name = "postgresql.auto.conf"
        guard let text = SmallFile.read("\(paths.cluster)/\(name)") else { return }
        try SmallFile.replace("\(next.cluster)/\(name)", with: text, owner: user)
    }

    /// Removes an unfinished copy. Once the swap is decided the copy stays, because the next run needs it.
    package func giveUp() async { if !swap.isDecided { try? await removeNext() } }

    /// Removes the copy of this run or of one that was killed, whose PostgreSQL may still run.
    private func removeNext() async throws(ClusterError) {
        try await endLeftovers(of: Paths(data: paths.next))
        try await removeTree(paths.next)
    }

    /// Ends the PostgreSQL that a killed process has left in a data directory.
    private func endLeftovers(of paths: Paths) async throws(ClusterError) {
        if let running = Postmaster.find(paths, user: user) {
            kill(running.pid, SIGINT)
            _ = try await wait(upTo: Limits.fastShutdown) { () throws(ClusterError) in
                !ProcessTable.isPostgres(running.pid, of: paths.cluster, user: user)
            }
        }
        try await StaleState.endOrphans(of: paths, user: user)
    }

    // MARK: Changing places

    /// Puts the copy in the cluster's place, and keeps the cluster. Both have to be stopped.
    /// - Parameter note: What ``previousNote`` returns later.
    package func changePlaces(note: String) async throws(ClusterError) {
        try SmallFile.replace(paths.previousNote, with: note, owner: .ourselves)
        do throws(ClusterError) { try swap.decideAndPerform(.forward) } catch {
            if !swap.isDecided { unlink(paths.previousNote) }
            throw error
        }
        try await removeTree(paths.next)
    }

    /// Puts the previous cluster back in its place, and removes the other. It has to be stopped.
    package func goBack() async throws(ClusterError) {
        try swap.decideAndPerform(.back)
        try await removeTree(paths.removed)
    }

    /// Removes the previous cluster.
    package func removePrevious() async throws(ClusterError) {
        guard rename(paths.previous, paths.removed) == 0 else { throw .file("rename", paths.previous) }
        unlink(paths.previousNote)
        SmallFile.synchronizeDirectory(paths.data)
        try await removeTree(paths.removed)
    }

    /// The directory of the previous cluster.
    package var previousDirectory: String { paths.previous }

    /// What was noted about the previous cluster; nil when none is kept.
    package var previousNote: String? {
        guard FileStatus(paths.previous, following: false) != nil else { return nil }
        return SmallFile.read(paths.previousNote, bytesMax: Limits.noteBytesMax) ?? ""
    }

    // MARK: Moving elsewhere

    /// Marks the directory, durably: from here on nobody opens its cluster any more.
    /// - Parameter text: Where the database has gone, for an operator to read.
    package func markMoved(_ text: String) throws(ClusterError) {
        try SmallFile.replace(paths.moved, with: "\(text)\n", owner: .ourselves)
        SmallFile.synchronizeDirectory(paths.data)
    }

    /// - Throws: `.moved` for a data directory whose database has gone elsewhere.
    package static func requireHere(_ directory: String) throws(ClusterError) {
        let mark = Paths(data: directory).moved
        guard FileStatus(mark, following: false) != nil else { return }
        throw .moved(directory: directory, text: (SmallFile.read(mark) ?? "").filter { !$0.isNewline })
    }
}
