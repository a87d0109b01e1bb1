/// An ordered set of keys. Each operation takes the same time however many keys there are.
struct KeyRing<Key: Hashable> {
    private struct Link {
        var previous: Key?
        var next: Key?
    }

    private var links: [Key: Link] = [:]
    private(set) var first: Key?
    private(set) var last: Key?

    var isEmpty: Bool { links.isEmpty }

    func contains(_ key: Key) -> Bool { links[key] != nil }

    /// - Parameter key: Not in the ring yet.
    mutating func append(_ key: Key) {
        links[key] = Link(previous: last, next: nil)
        if let last { links[last]?.next = key } else { first = key }
        last = key
    }

    mutating func remove(_ key: Key) {
        guard let link = links.removeValue(forKey: key) else { return }
        if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
        if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
    }

    mutating func popFirst() -> Key? {
        guard let key = first else { return nil }
        remove(key)
        return key
    }
}
