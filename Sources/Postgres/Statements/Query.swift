import CPQ

/// A statement with its binds and with the code that reads one of its rows.
///
/// The text is a `StaticString`, so it cannot be built at run time and nothing can be injected into it; its address is
/// the key under which each connection remembers that it has prepared the statement.
package protocol Query<Row>: Sendable {
    associatedtype Row: Sendable

    static var sql: StaticString { get }
    var binds: Binds { get }

    /// Reads the columns of one row, in their order.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Row
}

extension Query { package var binds: Binds { [] } }

extension Query where Row == Void { package static func decode(_ row: inout RowReader) throws(DecodingFailure) {} }

/// Reads one row, column by column, straight from libpq's memory. It cannot be copied and so cannot outlive the result
/// that it reads.
package struct RowReader: ~Copyable {
    private let result: OpaquePointer
    private let columnsCount: Int32
    private var row: Int32
    private var column: Int32 = 0

    init(_ result: OpaquePointer, row: Int32) {
        self.result = result
        self.row = row
        columnsCount = PQnfields(result)
    }

    /// The next column.
    /// - Throws: When it is NULL, does not exist, or has a type or a value that `V` does not take.
    package mutating func next<V: PostgresValue>(_: V.Type = V.self) throws(DecodingFailure) -> V {
        guard let value: V = try next() else {
            let current = column - 1
            throw DecodingFailure(.isNull, V.self, from: type(current)).at(column: Int(current), named: name(current))
        }
        return value
    }

    /// The next column, which may be NULL.
    package mutating func next<V: PostgresValue>(_: V?.Type = V?.self) throws(DecodingFailure) -> V? {
        let current = column
        guard current < columnsCount else {
            throw DecodingFailure(.pastTheEnd, V.self, from: .unspecified).at(column: Int(current), named: nil)
        }
        column += 1
        guard PQgetisnull(result, row, current) == 0, let bytes = PQgetvalue(result, row, current) else { return nil }
        do {
            let value = UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(result, row, current)))
            return try V(decoding: value, from: type(current))
        } catch { throw error.at(column: Int(current), named: name(current)) }
    }

    mutating func move(to row: Int32) {
        self.row = row
        column = 0
    }

    private func type(_ column: Int32) -> OID { OID(rawValue: PQftype(result, column)) }

    private func name(_ column: Int32) -> String? { PQfname(result, column).map { String(cString: $0) } }
}

/// The parameters of one statement, already in binary form: one block of bytes, whatever their number.
package struct Binds: ExpressibleByArrayLiteral, Sendable {
    struct Slot: Sendable {
        var oid: OID
        var offset: Int
        /// -1 is NULL.
        var lengthBytes: Int
    }

    private(set) var bytes: [UInt8] = []
    private(set) var slots: [Slot] = []

    /// Takes the values in the order of $1, $2, …; nil is NULL. More than 65,535 are an error when the statement is
    /// sent.
    package init(arrayLiteral elements: (any PostgresValue)?...) { self.init(elements) }

    package init(_ elements: [(any PostgresValue)?]) {
        slots.reserveCapacity(elements.count)
        bytes.reserveCapacity(elements.count * 8)
        for element in elements { append(element) }
    }

    package mutating func append(_ element: (any PostgresValue)?) {
        let start = bytes.count
        guard let element else {
            slots.append(Slot(oid: .unspecified, offset: start, lengthBytes: -1))
            return
        }
        element.encode(into: &bytes)
        slots.append(Slot(oid: type(of: element).oid, offset: start, lengthBytes: bytes.count - start))
    }
}
