/// An error that has a case for a failing database, so that code which runs inside a lent connection can throw it with its type kept.
package protocol PostgresErrorConvertible: Error {
    init(_ error: PostgresError)
}

extension PostgresError: PostgresErrorConvertible {
    package init(_ error: PostgresError) { self = error }
}
