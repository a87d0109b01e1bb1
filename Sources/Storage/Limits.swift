package import Domain

// The bounds of what is read from the database at once.
extension Limits {
    /// Rows that one commit may change for standings to follow it; after a larger one they are loaded anew.
    package static let commitRowsMax = 1_000_000
}
