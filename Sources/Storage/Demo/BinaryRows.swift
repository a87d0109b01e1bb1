import Postgres

/// Rows in the binary format of COPY: a header, each row with its number of columns and each column with its length, and an end
/// (PostgreSQL's manual, COPY, "Binary Format").
struct BinaryRows: Sendable {
    private var bytes = Self.header
    private let columnsCount: Int16
    private(set) var count = 0

    init(columns: Int16) {
        columnsCount = columns
    }

    var isEmpty: Bool { count == 0 }

    /// All of it, ready to be sent.
    var file: [UInt8] {
        var file = bytes
        Int16(-1).encode(into: &file)
        return file
    }

    /// Begins a row; as many columns must follow as were promised.
    mutating func beginRow() {
        columnsCount.encode(into: &bytes)
        count += 1
    }

    /// The row's next column; nil is NULL.
    mutating func add(_ value: some PostgresElement) {
        value.encodeElement(into: &bytes)
    }

    /// Forgets the rows and keeps the memory.
    mutating func removeAll() {
        bytes.removeSubrange(Self.header.count...)
        count = 0
    }

    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
}
