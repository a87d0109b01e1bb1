/// What the server says a statement takes and gives, without running it.
package struct StatementDescription: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        package let name: String
        package let type: OID
    }

    /// In the order of $1, $2, …
    package let parameters: [OID]
    /// In order; empty for a statement that returns no rows.
    package let columns: [Column]
}
