package import Domain

extension Game.Classic {
    /// - Throws: ``FieldError`` for a game that no client of 2009 knows.
    package func checked(for game: Slug) throws(FieldError) -> Game.Classic {
        guard self == .off || game == .defaultGame else {
            throw FieldError("classic", "classic is for the game `default` only, as its clients know no other.")
        }
        return self
    }
}

extension DisplayName {
    /// The name of what has none but its slug.
    package static func standard(for slug: Slug) throws(FieldError) -> DisplayName {
        guard let name = DisplayName(slug.description) else {
            throw FieldError("name", "name is missing, and the slug shows nothing. Give one.")
        }
        return name
    }
}
