/// Remembers which statements one connection has prepared, by the address of their text.
///
/// Parameters are declared with the types of their binds, so a parameter that is NULL at first leaves its type to the
/// server to infer. When a value of another type comes later, the statement is prepared again with the types known by
/// then, at most once for each parameter.
///
/// The server makes a generic plan for the sizes that tables have at its first use and keeps it until they are
/// analyzed: on a database that starts empty it would go on scanning tables that have long grown large. So a statement
/// is also prepared again after 8 uses, after 64, and so on.
struct StatementCache {
    struct Key: Hashable {
        let address: UInt
        init(_ sql: StaticString) { address = UInt(bitPattern: sql.utf8Start) }
    }

    struct Entry {
        let name: String
        let types: [OID]
        /// Uses since the statement was first prepared.
        var usesCount = 1
        var usesCountMax = StatementCache.growth
        /// Whether the server can no longer use it.
        var isStale = false
    }

    private static let growth: Int = 8

    private var entries: [Key: Entry] = [:]
    private var namesGiven: UInt64 = 0

    /// Returns the prepared statement to use for these binds, whether it has yet to be prepared, and the name of the
    /// one that it replaces.
    mutating func entry(for statement: Statement) -> (entry: Entry, isNew: Bool, replaced: String?) {
        let key = Key(statement.sql)
        guard var entry = entries[key] else { return (add(key, types: statement.binds.slots.map(\.oid)), true, nil) }
        if !statement.hasPlan { return (entry, false, nil) }
        entry.usesCount += 1
        entries[key] = entry
        let isOutgrown = entry.usesCount > entry.usesCountMax
        if Self.matches(entry.types, statement.binds.slots), !isOutgrown, !entry.isStale { return (entry, false, nil) }
        var new = add(key, types: Self.merged(entry.types, statement.binds.slots))
        (new.usesCount, new.usesCountMax) = (
            entry.usesCount, isOutgrown ? entry.usesCountMax &* Self.growth : entry.usesCountMax
        )
        entries[key] = new
        return (new, true, entry.name)
    }

    private mutating func add(_ key: Key, types: [OID]) -> Entry {
        namesGiven += 1
        let entry = Entry(name: "s\(namesGiven)", types: types)
        entries[key] = entry
        return entry
    }

    /// Makes every statement be prepared again at its next use. What has made one plan stale, such as a migration, may
    /// have made others stale, too, and a pipeline that is repeated must not stumble from one to the next.
    mutating func outdate() { for key in entries.keys { entries[key]?.isStale = true } }

    /// Forgets every statement, because the server does not have them any more.
    mutating func forgetAll() { entries = [:] }

    /// Forgets a statement that the server could not prepare. A later one under the same key stays.
    mutating func forget(_ key: Key, named name: String) { if entries[key]?.name == name { entries[key] = nil } }

    private static func matches(_ types: [OID], _ slots: [Binds.Slot]) -> Bool {
        guard types.count == slots.count else { return false }
        for index in slots.indices where slots[index].oid != types[index] && slots[index].lengthBytes >= 0 {
            return false
        }
        return true
    }

    private static func merged(_ types: [OID], _ slots: [Binds.Slot]) -> [OID] {
        guard types.count == slots.count else { return slots.map(\.oid) }
        return zip(types, slots).map { $1.lengthBytes < 0 ? $0 : $1.oid }
    }
}
