package import Domain

// The limits of what is read from the database at once.
extension Limits {
    /// Seconds after which what fails is not done once more, so that one request waits for at most two slow tries.
    package static let repeatedSecondsMax: Int64 = 5
    /// The most rollup rows that one commit may change and still be followed. After a larger commit all standings are
    /// loaded again.
    package static let commitRowsMax = 1_000_000
}
