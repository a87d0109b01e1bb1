/// A player's identity at a sign-in provider, as the database stores it: a keyed hash of the game, the issuer and the
/// issuer's id of the player, 32 bytes.
package struct IdentityHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// A sign-in provider of a game, as an operator sets it up.
package struct IdentityProvider: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case apple
        case google
        /// Facebook's Limited Login.
        case facebook
        /// Any other OpenID Connect issuer.
        case oidc
    }

    package let kind: Kind
    /// The game's ids at the provider, 1 to ``Limits/audiencesMax``. An ID token must be for one of them.
    package let audiences: [String]
    /// Set for ``Kind/oidc`` only.
    package let issuer: String?
    /// The address of the issuer's keys; nil to take it from the issuer's configuration. Set for ``Kind/oidc`` only.
    package let keys: String?

    /// - Throws: ``FieldError`` for no audience, too many, or one that no token can have, and for addresses of an
    ///   issuer that is known.
    package init(kind: Kind, audiences: [String], issuer: String? = nil, keys: String? = nil) throws(FieldError) {
        guard (1...Limits.audiencesMax).contains(audiences.count) else {
            throw FieldError(
                "audiences", "audiences needs 1 to \(Limits.audiencesMax) ids. Send the game's ids at the provider.")
        }
        for audience in audiences {
            guard (1...Limits.audienceBytesMax).contains(audience.utf8.count),
                audience.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                throw FieldError(
                    "audiences",
                    "An audience has 1 to \(Limits.audienceBytesMax) ASCII characters without spaces. Copy it from "
                        + "the provider.")
            }
        }
        guard (kind == .oidc) == (issuer != nil) else {
            throw FieldError(
                "issuer", kind == .oidc ? "issuer is missing. Send its address." : "issuer is for the kind oidc only.")
        }
        guard kind == .oidc || keys == nil else { throw FieldError("jwks", "jwks is for the kind oidc only.") }
        (self.kind, self.audiences, self.issuer, self.keys) = (kind, audiences, issuer, keys)
    }
}

/// An identity that is linked to a player, as the player sees it.
package struct OwnIdentity: Sendable, Equatable {
    /// The slug of the provider with which it was linked.
    package let provider: Slug
    package let linkedAt: Instant
    /// The last day in UTC on which a device joined with it, or on which it was linked.
    package let usedOn: Day

    package init(provider: Slug, linkedAt: Instant, usedOn: Day) {
        (self.provider, self.linkedAt, self.usedOn) = (provider, linkedAt, usedOn)
    }
}

extension Limits {
    /// Providers of a game.
    package static let providersOfGameMax: Int64 = 10
    /// Identities that a player may link. A merge may add more.
    package static let identitiesOfPlayerMax: Int64 = 10
    /// Ids of a game at one provider.
    package static let audiencesMax = 10
    /// Bytes of one such id.
    package static let audienceBytesMax = 255
}
