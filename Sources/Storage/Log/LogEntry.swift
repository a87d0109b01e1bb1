import Crypto
package import Domain
package import FoundationEssentials

/// An entry of the log. Its hash covers the entry before it and everything about this one, so none can be changed,
/// moved or left out without every later hash being wrong.
package struct LogEntry: Sendable, Equatable {
    /// Counts the entries, from 1.
    package let number: Int64
    package let at: Instant
    /// Nil when the entry is about no action.
    package let action: UUID?
    /// Who did it: a key's id, `cli`, `player` or `server`.
    package let actor: String
    /// The name of the action, or a request's method.
    package let kind: String
    /// `key=value` by key, joined by `;`, or `-`.
    package let subject: String
    /// The new values of settings, or the points that moved, in the same form. Free text is `#` and 16 hex digits of
    /// its keyed hash.
    package let values: String
    /// The salted hash of the words, which stays when the words are erased; nil when there are none.
    package let wordsHash: [UInt8]?

    package init(
        number: Int64, at: Instant, action: UUID?, actor: String, kind: String, subject: String, values: String,
        wordsHash: [UInt8]?
    ) {
        self.number = number
        self.at = at
        self.action = action
        self.actor = actor
        self.kind = kind
        self.subject = subject
        self.values = values
        self.wordsHash = wordsHash
    }

    /// The hash before the first entry.
    package static let origin = [UInt8](repeating: 0, count: 32)

    /// SHA-256 of the entry's lines, each ended by a line feed. No value holds one.
    /// - Parameter previous: The hash of the entry before, or ``origin``.
    package func hash(after previous: [UInt8]) -> [UInt8] {
        let lines = [
            Hex.text(previous), "v1", String(number), at.rfc3339(.microseconds), action?.uuidString.lowercased() ?? "-",
            actor, kind, subject, values, wordsHash.map { Hex.text($0) } ?? "-",
        ]
        return Array(SHA256.hash(data: Array(lines.map { $0 + "\n" }.joined().utf8)))
    }
}

/// The words of an entry, which may be erased: only their salted hash is in the chain.
package struct LogWords: Sendable, Equatable {
    /// 32 random bytes, so that nobody can find erased words by trying.
    package let salt: [UInt8]
    package let reason: String
    /// The new name of a player who was renamed.
    package let name: String?

    package init(salt: [UInt8], reason: String, name: String?) {
        self.salt = salt
        self.reason = reason
        self.name = name
    }

    /// Words with a new salt.
    package init(reason: String, name: String?) {
        var dice = SystemRandomNumberGenerator()
        self.init(salt: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) }, reason: reason, name: name)
    }

    /// SHA-256 of the salt, the reason and, after a line feed, the name.
    package var hash: [UInt8] {
        Array(SHA256.hash(data: salt + Array((name.map { "\(reason)\n\($0)" } ?? reason).utf8)))
    }
}

/// An entry as the database has it.
package struct LoggedEntry: Sendable {
    package let entry: LogEntry
    package let hash: [UInt8]
    /// Nil when there are none, or when they were erased.
    package let words: LogWords?
    /// Whether it tells who made a donation anonymously.
    package let isAboutAnonymous: Bool

    /// Whether the entry follows one with this hash, and its words are those that it was made with.
    package func follows(_ previous: [UInt8], number: Int64) -> Bool {
        entry.number == number + 1 && hash == entry.hash(after: previous)
            && (words == nil || words?.hash == entry.wordsHash)
    }
}
