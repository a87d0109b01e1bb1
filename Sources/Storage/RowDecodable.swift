import Postgres

/// A value that takes several columns of a row.
protocol RowDecodable {
    /// Reads the value's columns, in their order.
    init(row: inout RowReader) throws(DecodingFailure)
}

extension RowReader {
    /// The value of the next columns.
    mutating func next<Value: RowDecodable>() throws(DecodingFailure) -> Value { try Value(row: &self) }
}
