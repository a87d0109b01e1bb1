/// What a device says about its player. What is nil was not said and keeps what is known.
package struct Registration: Sendable {
    /// What was said of a thing that a player may have or not.
    package enum Said<Value: Sendable>: Sendable {
        case value(Value)
        /// Said, and empty: forget it.
        case cleared
    }

    package var name: PlayerName?
    package var email: Said<EmailAddress>?
    package var facebookID: FacebookID?
    package var wantsUpdates: Bool?
    /// The route that carried the wish, kept as the proof of consent.
    package var source: String
    package var avatar: Said<Avatar>?
    package var country: Said<CountryCode>?

    package init(
        name: PlayerName? = nil,
        email: Said<EmailAddress>? = nil,
        facebookID: FacebookID? = nil,
        wantsUpdates: Bool? = nil,
        source: String,
        avatar: Said<Avatar>? = nil,
        country: Said<CountryCode>? = nil
    ) {
        self.name = name
        self.email = email
        self.facebookID = facebookID
        self.wantsUpdates = wantsUpdates
        self.source = source
        self.avatar = avatar
        self.country = country
    }
}

/// A 40x40 PNG under its content's name.
package struct Avatar: Sendable, Equatable {
    package let hash: AvatarHash
    package let png: [UInt8]

    package init(hash: AvatarHash, png: [UInt8]) {
        self.hash = hash
        self.png = png
    }
}
