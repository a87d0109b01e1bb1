/// What a device sends about its player. Values that are nil or `keep` were not sent and do not change.
package struct Registration: Sendable {
    package var name: PlayerName?
    package var email: Patch<EmailAddress>
    package var facebookID: FacebookID?
    package var wantsUpdates: Bool?
    /// The route that carried the wish for updates, kept as evidence of consent.
    package var source: String
    package var avatar: Patch<Avatar>
    package var country: Patch<CountryCode>
    /// Whether the profile is nobody else's business; nil keeps what it is.
    package var isUnlisted: Bool?
    /// Whether it accepts friend requests; nil keeps the current value.
    package var takesAsks: Bool?
    package var flag: Patch<CountryFlag> = .keep
    package var renames = Renames.free

    /// Whether a known player's name may change. A name that stays the same is never a rename.
    package enum Renames: String, Sendable {
        case free
        /// It may, and the outcome says so.
        case counted
        /// It may not: such a registration is refused whole.
        case refused
    }

    package init(
        name: PlayerName? = nil, email: Patch<EmailAddress> = .keep, facebookID: FacebookID? = nil,
        wantsUpdates: Bool? = nil, source: String, avatar: Patch<Avatar> = .keep, country: Patch<CountryCode> = .keep
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

/// A 40x40 PNG with its content hash.
package struct Avatar: Sendable, Equatable {
    package let hash: AvatarHash
    package let png: [UInt8]

    package init(hash: AvatarHash, png: [UInt8]) {
        self.hash = hash
        self.png = png
    }
}
