import Glibc

/// How the cluster of another version takes the place of the previous one, or gives it back.
///
/// A mark on the disk says which way before the first step, and goes after the last. Each step is done at most once, so
/// whoever finds the mark, after a kill at any moment, does them all again. Nobody opens a cluster meanwhile.
struct ClusterSwap {
    enum Direction: String { case forward, back }

    let paths: Paths

    init(_ paths: Paths) { self.paths = paths }

    /// - Throws: `.swapUnfinished` while a mark is there.
    func requireNone() throws(ClusterError) { if isDecided { throw .swapUnfinished(directory: paths.data) } }

    /// Whether a mark is there, whatever it says.
    var isDecided: Bool { exists(paths.swapMark) }

    /// What an earlier run has left unfinished.
    var pending: Direction? {
        SmallFile.read(paths.swapMark).flatMap { Direction(rawValue: $0.filter { !$0.isWhitespace }) }
    }

    /// Decides on the swap, durably. From here on it is only ever done to its end.
    func mark(_ direction: Direction) throws(ClusterError) {
        try SmallFile.replace(paths.swapMark, with: "\(direction.rawValue)\n", owner: .ourselves)
        SmallFile.synchronizeDirectory(paths.data)
    }

    /// One thing to do, which does nothing when it was done already.
    enum Step: Equatable {
        case move(String, to: String)
        case remove(String)
    }

    /// What there is to do, in order.
    func steps(_ direction: Direction) -> [Step] {
        switch direction {
        case .forward:
            // The write-ahead log of the one does not go on in the archive of the other.
            [
                .move(paths.cluster, to: paths.previous), .move("\(paths.next)/postgres", to: paths.cluster),
                .remove(paths.archive), .remove(paths.swapMark),
            ]
        case .back:
            [
                .move(paths.cluster, to: paths.removed), .move(paths.previous, to: paths.cluster),
                .remove(paths.previousNote), .remove(paths.archive), .remove(paths.swapMark),
            ]
        }
    }

    func perform(_ step: Step) throws(ClusterError) {
        switch step {
        case .move(let from, let to):
            if exists(to) { return }
            guard rename(from, to) == 0 else { throw .file("rename", from) }
        case .remove(let file): guard unlink(file) == 0 || errno == ENOENT else { throw .file("remove", file) }
        }
        SmallFile.synchronizeDirectory(paths.data)
    }

    /// Decides on the swap, and does it. When its first step fails, nothing has changed yet, and the decision is taken
    /// back; when a later one fails, the mark stays, and the next run goes on.
    func decideAndPerform(_ direction: Direction) throws(ClusterError) {
        try mark(direction)
        let steps = steps(direction)
        do throws(ClusterError) { try perform(steps[0]) } catch {
            unlink(paths.swapMark)
            SmallFile.synchronizeDirectory(paths.data)
            throw error
        }
        for step in steps.dropFirst() { try perform(step) }
    }

    func perform(all direction: Direction) throws(ClusterError) { for step in steps(direction) { try perform(step) } }

    private func exists(_ path: String) -> Bool { FileStatus(path, following: false) != nil }
}
