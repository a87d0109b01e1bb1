/// How a cluster is made.
enum InitdbOptions {
    /// What never changes in a cluster's life, and what `pg_upgrade` wants alike on both sides.
    ///
    /// Text sorts by bytes: fast, and no update of the system's locales can corrupt an index. Upper and lower case follow Unicode.
    static let fixed = ["--data-checksums", "--encoding=UTF8", "--locale=C", "--lc-ctype=C.UTF-8"]

    /// - Parameter durable: false leaves out the `fsync` of every file.
    static func all(directory: String, durable: Bool) -> [String] {
        ["--pgdata=\(directory)", "--username=\(EmbeddedCluster.owner)", "--auth=trust"] + fixed + (durable ? [] : ["--no-sync"])
    }
}
