import Domain

/// What streams of one address show, as it was read at one time.
struct LiveState: Sendable {
    /// One event, with the document that it carries.
    struct Part: Sendable {
        let event: StaticString
        /// The document's key in the ``FeedCache``.
        let key: String
        /// Not compressed.
        let entity: Entity
    }

    /// At least one.
    let parts: [Part]
    /// Whether it cannot change any more.
    let isFinal: Bool
    /// Whether the ``FeedCache`` knows when it changes. Otherwise, only reading it again tells.
    let isCached: Bool
    /// The number of what a player is told of itself, which is another one when something has changed; see
    /// `Store.ownVersions`. It was read before ``parts``. Nil for what everybody is told.
    var version: Int64?

    /// The entity tags of all documents without quotes, with a dot between them.
    var id: String { parts.map { String($0.entity.etag.dropFirst().dropLast()) }.joined(separator: ".") }

    /// Looks between two events of a stream, so that none has more than four a second.
    var ticks: UInt64 {
        if isCached { return UInt64(parts.count) }
        return version == nil ? Limits.liveTicksWithSQL : Limits.liveTicksOfOwn
    }
}
