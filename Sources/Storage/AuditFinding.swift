/// What one check of the audit found.
package struct AuditFinding: Sendable {
    package let subject: String
    /// Rows that were compared.
    package let compared: Int64
    /// Rows that are not what the ledgers say.
    package let differing: Int64
    /// One of those.
    package let example: String?
}
