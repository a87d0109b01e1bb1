package import Domain

// The limits of what is read from the database at once.
extension Limits {
    /// Seconds after which a read whose connection is lost is not done once more.
    package static let lostReadSecondsMax: Int64 = 5
    /// The most answers about callers that each of two generations remembers; one takes about 250 bytes.
    package static let knownCallersMax = 100_000
    /// The most rollup rows that one commit may change and still be followed. After a larger commit all standings are
    /// loaded again.
    package static let commitRowsMax = 1_000_000
}
