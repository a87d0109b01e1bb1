/// Which statements one connection has prepared, by the address of their text.
///
/// Parameters are declared with the types of their binds, so a NULL first leaves its type to the server to infer. When a value of another
/// type comes later, the statement is prepared once more with what is known by then: at most once for each parameter.
struct StatementCache {
    struct Key: Hashable {
        let address: UInt
        init(_ sql: StaticString) { address = UInt(bitPattern: sql.utf8Start) }
    }

    struct Entry {
        let name: String
        let types: [OID]
    }

    private var entries: [Key: Entry] = [:]
    private var namesGiven: UInt64 = 0

    /// The statement to use for these binds, and whether it has yet to be prepared.
    mutating func entry(for statement: Statement) -> (entry: Entry, isNew: Bool) {
        let key = Key(statement.sql)
        let known = entries[key]
        if let known, Self.matches(known.types, statement.binds.slots) { return (known, false) }
        namesGiven += 1
        let entry = Entry(name: "s\(namesGiven)", types: Self.merged(known?.types, statement.binds.slots))
        entries[key] = entry
        return (entry, true)
    }

    /// Forgets a statement that the server does not have, or can no longer use; a later one under the same key stays.
    mutating func forget(_ key: Key, named name: String) {
        if entries[key]?.name == name { entries[key] = nil }
    }

    private static func matches(_ types: [OID], _ slots: [Binds.Slot]) -> Bool {
        guard types.count == slots.count else { return false }
        for index in slots.indices where slots[index].oid != types[index] && slots[index].lengthBytes >= 0 { return false }
        return true
    }

    private static func merged(_ types: [OID]?, _ slots: [Binds.Slot]) -> [OID] {
        guard let types, types.count == slots.count else { return slots.map(\.oid) }
        return zip(types, slots).map { $1.lengthBytes < 0 ? $0 : $1.oid }
    }
}
