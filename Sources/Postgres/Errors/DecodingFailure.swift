/// Why a value of a row could not become the Swift value that was asked for. It never holds the value itself.
package struct DecodingFailure: Error, Equatable {
    package enum Reason: String, Sendable {
        case isNull = "is NULL"
        case malformed = "is malformed"
        case outOfRange = "is out of range"
        case pastTheEnd = "does not exist"
        case wrongLength = "has the wrong length"
        case wrongType = "has another type"
    }

    package var reason: Reason
    /// The Swift type that was asked for.
    package var expected: String
    /// The type of the column as the server described it.
    package var found: OID
    /// Counted from 0; nil until a `RowReader` has added it.
    package var column: Int?
    package var columnName: String?

    package init(_ reason: Reason, _ expected: Any.Type, from found: OID) {
        self.reason = reason
        self.expected = "\(expected)"
        self.found = found
    }

    func at(column: Int, named name: String?) -> DecodingFailure {
        var failure = self
        failure.column = column
        failure.columnName = name
        return failure
    }
}

extension DecodingFailure: CustomStringConvertible {
    package var description: String {
        """
        column \(column.map { "\($0)" } ?? "?") \(columnName ?? "") of type \(found.rawValue) \(reason.rawValue) \
        (wanted \(expected))
        """
    }
}
