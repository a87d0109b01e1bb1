/// One statement of one file: its text, its binds and how a row is read.
///
/// The text is a `StaticString`, so it cannot be built at run time and nothing can be injected into it; its address is the key under which
/// each connection remembers that it has prepared the statement.
package protocol Query: Sendable {
    associatedtype Row: Sendable

    static var sql: StaticString { get }
    var binds: Binds { get }

    /// Reads the columns of one row, in their order.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Row
}

extension Query {
    package var binds: Binds { [] }
}

extension Query where Row == Void {
    package static func decode(_ row: inout RowReader) throws(DecodingFailure) {}
}
