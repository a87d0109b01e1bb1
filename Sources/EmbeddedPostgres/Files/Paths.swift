/// The names inside one data directory: the cluster, its log, and the lock files beside it.
struct Paths: Sendable, Equatable {
    /// Absolute and without symbolic links, so that every process derives the same socket directory from it.
    let data: String

    var cluster: String { "\(data)/postgres" }
    /// Where `initdb` works; renamed to `cluster` when everything is done, so that a crash never leaves half a cluster
    /// to trust.
    var unfinished: String { "\(data)/postgres.new" }
    var log: String { "\(data)/postgres.log" }
    /// Held exclusively by the one server; has its pid in it.
    var serverLock: String { "\(data)/server.lock" }
    /// Held shared by everybody who uses the cluster: whoever can make it exclusive is the last one and stops the
    /// cluster.
    var usersLock: String { "\(data)/postgres.users.lock" }
    /// Held exclusively by whoever makes, starts or stops the cluster, and never for longer.
    var startLock: String { "\(data)/postgres.start.lock" }

    var version: String { "\(cluster)/PG_VERSION" }
    var postmasterFile: String { "\(cluster)/postmaster.pid" }
}
