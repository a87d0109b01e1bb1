/// What a transaction sees and may do.
package enum TransactionMode: Sendable {
    /// Each statement sees what was committed before it began.
    case readCommitted
    /// All statements see what was committed before the first one; nothing may be written.
    case repeatableReadReadOnly

    var begin: StaticString {
        switch self {
        case .readCommitted: "begin isolation level read committed"
        case .repeatableReadReadOnly: "begin isolation level repeatable read, read only"
        }
    }
}
