/// The paths inside one data directory: the cluster, its log, and the lock files beside it.
struct Paths: Sendable, Equatable {
    /// Absolute and without symbolic links, so that every process derives the same socket directory from it.
    let data: String

    var cluster: String { "\(data)/postgres" }
    /// Where `initdb` works. It is renamed to `cluster` once it is complete, so that a crash never leaves half a
    /// cluster under that name.
    var unfinished: String { "\(data)/postgres.new" }
    var log: String { "\(data)/postgres.log" }
    /// Held exclusively by the one server, and holds its pid.
    var serverLock: String { "\(data)/server.lock" }
    /// Held shared by every process that uses the cluster. A process that can make its lock exclusive is the last one
    /// and stops the cluster.
    var usersLock: String { "\(data)/postgres.users.lock" }
    /// Held exclusively by a process while it makes, starts or stops the cluster.
    var startLock: String { "\(data)/postgres.start.lock" }

    /// Held by every process of a running postmaster, which inherits it, by what these start, and by nobody else for
    /// longer than a start takes. Unlike a pid it also tells of a postmaster in another container, whose processes
    /// cannot be seen.
    var runningLock: String { "\(data)/postgres.running.lock" }

    /// Names the directory in which the write-ahead log is archived; missing while it is not.
    var archive: String { "\(data)/archive" }

    /// Held shared by everybody who has the cluster open, and exclusively by an ``ExclusiveCluster``.
    var upgradeLock: String { "\(data)/upgrade.lock" }
    /// A data directory of its own, in which the cluster of the other version is made.
    var next: String { "\(data)/upgrade" }
    /// There while clusters change places; says which way.
    var swapMark: String { "\(data)/upgrade.swap" }
    /// The previous cluster, until it is told to go.
    var previous: String { "\(data)/postgres.previous" }
    /// What was in the previous cluster, there for as long as that is.
    var previousNote: String { "\(data)/postgres.previous.json" }
    /// There once the database was moved elsewhere; says where to.
    var moved: String { "\(data)/moved" }
    /// A cluster that is being removed.
    var removed: String { "\(data)/postgres.removed" }

    var version: String { "\(cluster)/PG_VERSION" }
    var postmasterFile: String { "\(cluster)/postmaster.pid" }
}
