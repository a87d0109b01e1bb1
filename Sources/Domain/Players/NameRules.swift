/// How a game treats the names that players give themselves.
package enum NameRules: String, Sendable, CaseIterable {
    /// Every name that can be shown well is shown.
    case open
    /// A name in which one of the game's refused words is contained, however it is written, is refused.
    case filtered
    /// A name is shown once an operator has approved it.
    case approved
}

/// A word that no name of a game may contain: 3 to 32 characters, of which at least 3 remain in its skeleton.
package struct RefusedWord: Sendable, Hashable {
    package let text: String
    package let skeleton: NameSkeleton

    /// - Returns: Nil for a text that is no such word.
    package init?(_ text: String) {
        guard text.utf8.count <= Limits.nameBytesMax else { return nil }
        let word = text.nameForm
        let skeleton = NameSkeleton(of: word)
        guard (3...Limits.nameCharactersMax).contains(word.count), !word.utf8.contains(0),
            skeleton.description.count >= 3
        else { return nil }
        (self.text, self.skeleton) = (word, skeleton)
    }

    package static let rule = "3 to \(Limits.nameCharactersMax) characters, of which 3 are letters or digits"
}

/// How players of a game may become friends.
package enum FriendRules: String, Sendable, CaseIterable {
    case off
    /// By code only.
    case codes
    /// By code or by friend request.
    case requests
}
