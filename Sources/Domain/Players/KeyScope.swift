/// One thing that a key may do.
package enum KeyScope: Sendable, Hashable {
    /// An operator's: to read what is not personal.
    case read
    /// An operator's: to read what is personal, such as e-mail addresses.
    case personal
    /// An operator's: to act on players and what they did.
    case moderate
    /// An operator's: to change settings and keys.
    case operate
    /// An operator's: to read what one charity may know, which `read` covers for all.
    case charity(Slug)
    /// A game's: to register its players.
    case register
    /// A game's: to post for them.
    case post
    /// A game's: to donate for them.
    case donate
    /// A game's: to judge posts that wait for it.
    case judge
    /// A game's: to make teams and say who is in them.
    case groups
    /// A game's: to grant awards to its players.
    case award

    /// Nil unless the text is the name of a scope, such as `read` or `charity:tree-fund`.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        if let scope = Self.words.first(where: { $0.description == text }) {
            self = scope
        } else if text.hasPrefix("charity:"), let slug = Slug(text.dropFirst("charity:".count)) {
            self = .charity(slug)
        } else {
            return nil
        }
    }

    /// Whose keys may have it.
    package var kind: KeyKind {
        switch self {
        case .read, .personal, .moderate, .operate, .charity: .admin
        case .register, .post, .donate, .judge, .groups, .award: .game
        }
    }

    private static let words: [KeyScope] = [
        .read, .personal, .moderate, .operate, .register, .post, .donate, .judge, .groups, .award,
    ]
    private static let bytesMax = 71
}

extension KeyScope: CustomStringConvertible {
    package var description: String {
        switch self {
        case .read: "read"
        case .personal: "personal"
        case .moderate: "moderate"
        case .operate: "operate"
        case .charity(let slug): "charity:\(slug)"
        case .register: "register"
        case .post: "post"
        case .donate: "donate"
        case .judge: "judge"
        case .groups: "groups"
        case .award: "award"
        }
    }
}

/// Who holds a key.
package enum KeyKind: String, Sendable, CaseIterable { case admin, game }

/// What a key may do: one scope or more, all of one kind.
package struct KeyScopes: Sendable, Equatable {
    package let kind: KeyKind
    /// In the order of their names, so that equal sets are stored alike.
    package let all: [KeyScope]

    /// What keys of games do that were made without a word about it.
    package static let ofGames = KeyScopes(kind: .game, all: [.donate, .post, .register])

    /// - Throws: ``FieldError`` for no scope, more than ``countMax``, a text that is none, or one of the other kind.
    package init(_ texts: [String], of kind: KeyKind, field: String) throws(FieldError) {
        guard (1...Self.countMax).contains(texts.count) else {
            throw FieldError(field, "\(field) has 1 to \(Self.countMax) scopes. Send those that the key needs.")
        }
        var scopes: Set<KeyScope> = []
        for text in texts {
            guard let scope = KeyScope(text), scope.kind == kind else {
                throw FieldError(field, "\(field) has something that is no scope of such a key. \(Self.rule(kind))")
            }
            scopes.insert(scope)
        }
        self.init(kind: kind, all: scopes.sorted { $0.description < $1.description })
    }

    private init(kind: KeyKind, all: [KeyScope]) { (self.kind, self.all) = (kind, all) }

    /// What is stored; a scope that this version does not know is left out, and so allows nothing.
    package init(stored texts: [String], kind: KeyKind) {
        self.init(kind: kind, all: texts.compactMap { KeyScope($0) })
    }

    /// Whether a key with these may do what one with `scope` may. `read` is enough for each charity's reads.
    package func allows(_ scope: KeyScope) -> Bool {
        if case .charity = scope, all.contains(.read) { return true }
        return all.contains(scope)
    }

    /// The first of another key's scopes that a key with these may not grant; nil when it may grant them all. Nobody
    /// grants what it lacks. No operator has the scopes of games, so `operate` grants these.
    package func firstNotGranted(of other: KeyScopes) -> KeyScope? {
        other.all.first { $0.kind == .game ? !allows(.operate) : !allows($0) }
    }

    package var texts: [String] { all.map(\.description) }

    package static let countMax = 64

    /// The rule in words, for an error message.
    package static func rule(_ kind: KeyKind) -> String {
        switch kind {
        case .admin: "An admin key has some of read, personal, moderate, operate and charity:{slug}."
        case .game: "A game's key has some of register, post, donate, judge, groups and award."
        }
    }
}
