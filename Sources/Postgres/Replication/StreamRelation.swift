/// A table as the stream describes it, before the first change that looks like that.
package struct StreamRelation: Sendable {
    package struct Column: Sendable {
        package let name: String
        package let type: OID
    }

    package let schema: String
    package let name: String
    /// Only those that are published.
    package let columns: [Column]
}
