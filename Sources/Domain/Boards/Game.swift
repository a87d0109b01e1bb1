/// A game that players register from.
package struct Game: Sendable, Equatable {
    package struct ID: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
    }

    /// How far the classic protocol is open: it has no authentication, who knows a device id speaks for the device.
    package enum Classic: String, Sendable, CaseIterable {
        /// All its routes.
        case open
        /// Only `POST /high_scores`, which carries a token.
        case token
        /// None.
        case off
    }

    package let id: ID
    package let slug: Slug
    package let classic: Classic
    /// Of the classic MD5 token; without one no token is good.
    package let salt: String?

    package init(id: ID, slug: Slug, classic: Classic, salt: String?) {
        self.id = id
        self.slug = slug
        self.classic = classic
        self.salt = salt
    }
}
