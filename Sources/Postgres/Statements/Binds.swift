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
