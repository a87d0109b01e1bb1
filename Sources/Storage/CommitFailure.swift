/// Why rows were not committed, or not for certain.
package struct CommitFailure: Error {
    package let error: StoreError
    /// The connection was lost, or the server failed, with the commit under way: only the database knows.
    package let mayHaveCommitted: Bool
}
