/// An award of a game.
public struct Award: Sendable, Hashable, Codable {
    /// Its slug.
    public let award: String
    public let name: String
    /// What a player has to do; nil for a secret award, and where nothing is said.
    public let text: String?
    /// Whether only players who have it see its text.
    public let secret: Bool
    /// Where its badge is, as a path on the server.
    public let picture: String
    /// How often it was given.
    public let givenTo: Int64

    package init(award: String, name: String, text: String?, secret: Bool, picture: String, givenTo: Int64) {
        (self.award, self.name, self.text) = (award, name, text)
        (self.secret, self.picture, self.givenTo) = (secret, picture, givenTo)
    }

    public enum CodingKeys: String, MessageKey {
        case award, name, text, secret, picture
        case givenTo = "given_to"
    }
}

public struct AwardList: Sendable, Hashable, Codable {
    public let awards: [Award]

    package init(awards: [Award]) { self.awards = awards }

    public enum CodingKeys: String, MessageKey { case awards }
}

/// An award that a player has.
public struct GivenAward: Sendable, Hashable, Codable {
    /// Its slug.
    public let award: String
    public let name: String
    /// The first moment at which its rule held.
    public let givenAt: Timestamp
    /// The number of the season, or the slug of the campaign, of an award for a rank.
    public let occasion: String?

    package init(award: String, name: String, givenAt: Timestamp, occasion: String?) {
        (self.award, self.name, self.givenAt, self.occasion) = (award, name, givenAt, occasion)
    }

    public enum CodingKeys: String, MessageKey {
        case award, name
        case givenAt = "given_at"
        case occasion
    }
}

/// An award of the caller's game, with how far the caller is.
public struct OwnAward: Sendable, Hashable, Codable {
    /// Its slug.
    public let award: String
    public let name: String
    /// What a player has to do; nil for a secret award that the caller does not have, and where nothing is said.
    public let text: String?
    public let secret: Bool
    /// Where its badge is, as a path on the server.
    public let picture: String
    /// When the caller got it, last; nil while it does not have it.
    public let givenAt: Timestamp?
    /// The number of that season, of an award for a rank.
    public let occasion: String?
    /// How often the caller has it: more than once for ranks in several seasons.
    public let times: Int64
    /// How far the caller is, and what it needs: points, days, charities. Nil where no number says it.
    public let have: Int64?
    public let need: Int64?

    package init(
        award: String, name: String, text: String?, secret: Bool, picture: String, givenAt: Timestamp?,
        occasion: String?, times: Int64, have: Int64?, need: Int64?
    ) {
        (self.award, self.name, self.text, self.secret, self.picture) = (award, name, text, secret, picture)
        (self.givenAt, self.occasion, self.times) = (givenAt, occasion, times)
        (self.have, self.need) = (have, need)
    }

    public enum CodingKeys: String, MessageKey {
        case award, name, text, secret, picture
        case givenAt = "given_at"
        case occasion, times, have, need
    }
}

public struct OwnAwardList: Sendable, Hashable, Codable {
    public let awards: [OwnAward]

    package init(awards: [OwnAward]) { self.awards = awards }

    public enum CodingKeys: String, MessageKey { case awards }
}

/// How many awards the caller has.
public struct AwardCount: Sendable, Hashable, Codable {
    public let count: Int64
    /// The slug of the newest one.
    public let newest: String?

    package init(count: Int64, newest: String?) { (self.count, self.newest) = (count, newest) }

    public enum CodingKeys: String, MessageKey { case count, newest }
}
