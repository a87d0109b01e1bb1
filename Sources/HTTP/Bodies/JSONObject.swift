/// A body that is one JSON object. Of a member that comes twice the last one counts.
struct JSONObject {
    // Names are bytes: hashing a hostile String takes a time that grows with the square of its length, as its marks have to be sorted.
    private var members: [ArraySlice<UInt8>: JSONValue] = [:]

    /// An object without members.
    init() {}

    /// - Parameter bytes: At most ``Limits/bodyBytesMax``, perhaps after a byte order mark.
    init(_ bytes: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        scanner.offset = JSONScanner.bomLength(bytes)
        scanner.skipSpace()
        guard scanner.take(UInt8(ascii: "{")) else { throw scanner.fault(.missing("an object in { }")) }
        scanner.skipSpace()
        if !scanner.take(UInt8(ascii: "}")) {
            repeat {
                let name = try scanner.name()
                members[name] = try scanner.value(depth: 1)
            } while try scanner.continues(until: UInt8(ascii: "}"))
        }
        try scanner.finish()
    }

    /// The member of that name; nil when there is none.
    subscript(_ name: String) -> JSONValue? {
        members[Array(name.utf8)[...]]
    }
}
