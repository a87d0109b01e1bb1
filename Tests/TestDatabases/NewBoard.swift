package import Domain
package import Storage

/// A score board of a test, with each setting as a plain value.
@dynamicMemberLookup package struct NewBoard: Sendable {
    package let game: Slug
    package let slug: Slug
    package private(set) var settings: BoardChange

    /// A board with the standard settings.
    package init(_ slug: Slug, in game: Slug = .defaultGame) {
        guard let settings = try? BoardChange().completed(for: slug) else { preconditionFailure("\(slug) has no name") }
        (self.game, self.slug, self.settings) = (game, slug, settings)
    }

    package subscript<Value>(dynamicMember path: KeyPath<BoardSettings, Setting<Value>>) -> Value {
        get {
            guard let value = settings[dynamicMember: path] else { preconditionFailure("\(slug) lacks a setting") }
            return value
        }
        set { settings[dynamicMember: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<BoardSettings, OptionalSetting<Value>>) -> Value? {
        get { settings[dynamicMember: path].value }
        set { settings[dynamicMember: path] = newValue.map { .set($0) } ?? .keep }
    }

    package var bounds: ClosedRange<Int64> {
        get { self.pointsMin...self.pointsMax }
        set { (self.pointsMin, self.pointsMax) = (newValue.lowerBound, newValue.upperBound) }
    }
}

extension GameChange {
    package init(_ set: (inout GameChange) -> Void) {
        self.init()
        set(&self)
    }
}

extension Administration {
    package func addGame(_ slug: Slug, name: DisplayName, salt: String? = nil, now: Instant) async throws(StoreError)
        -> AdminOutcome
    {
        var settings = GameChange()
        settings.name = name
        if let salt { settings.salt = .set(salt) }
        return try await addGame(slug, settings, now: now)
    }

    /// Changes a game by the settings that are given.
    package func setGame(
        _ slug: Slug, name: DisplayName? = nil, classic: Game.Classic? = nil, salt: Patch<String> = .keep,
        friends: FriendRules? = nil, now: Instant
    ) async throws(StoreError) -> AdminOutcome {
        var change = GameChange()
        (change.name, change.classic, change.salt, change.friends) = (name, classic, salt, friends)
        return try await setGame(slug, change, now: now)
    }

    package func addBoard(_ board: NewBoard, now: Instant) async throws(StoreError) -> AdminOutcome {
        try await addBoard(board.slug, in: board.game, board.settings, now: now)
    }
}
