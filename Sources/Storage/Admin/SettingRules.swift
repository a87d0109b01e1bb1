package import Domain

// The rules about two settings together that need no look at the database. The ranges of each setting are in
// BoardSettings.swift. The command line and the admin API both apply them. An error names the setting in snake_case,
// and its sentence begins with that name.

extension BoardChange {
    /// - Throws: ``FieldError`` for a value that no board can have, or two that exclude each other.
    package func checked() throws(FieldError) -> BoardChange {
        try Self.settings.check(self)
        if let low = pointsMin, let high = pointsMax, low > high { throw Self.badBounds }
        if let opens = opensAt.value, let closes = closesAt.value, opens >= closes { throw .badOpening }
        return self
    }

    fileprivate static let badBounds = FieldError("points_min", "points_min is above the most points. Give both.")
}

extension BoardChange {
    /// The settings of a new board, with defaults for those that are missing: best, highest, ±(2^53-1), UTC, first,
    /// named by its slug; it earns points, or none where lowest or the latest counts. Where lowest is best, the least
    /// points are 0, or one post with a wrong sign would lead forever.
    package func completed(for slug: Slug) throws(FieldError) -> BoardChange {
        var settings = try checked()
        let lowestFirst = settings.lowestFirst ?? false
        let policy = settings.policy ?? .best
        let high = settings.pointsMax ?? Limits.walletPointsMax
        let low = settings.pointsMin ?? (lowestFirst && high >= 0 ? 0 : -Limits.walletPointsMax)
        guard low <= high else { throw Self.badBounds }
        if policy == .sum, settings.details == .public { throw FieldError.publicSums }
        settings.name = if let name = settings.name { name } else { try DisplayName.standard(for: slug) }
        (settings.policy, settings.lowestFirst) = (policy, lowestFirst)
        (settings.pointsMin, settings.pointsMax) = (low, high)
        settings.zone = settings.zone ?? "UTC"
        settings.ties = settings.ties ?? .first
        settings.earning = settings.earning ?? .standard(policy: policy, lowestFirst: lowestFirst)
        settings.display = settings.display ?? .number
        settings.trust = settings.trust ?? .open
        settings.details = settings.details ?? .private
        (settings.earnMax, settings.earnDay) = (settings.earnMax.ofNew, settings.earnDay.ofNew)
        (settings.opensAt, settings.closesAt) = (settings.opensAt.ofNew, settings.closesAt.ofNew)
        settings.unit = settings.unit.ofNew
        settings.holds = settings.holds.ofNew
        return settings
    }
}

extension Patch {
    /// The same of something new, which has nothing to clear.
    fileprivate var ofNew: Patch { value == nil ? .keep : self }
}

extension HoldChange {
    fileprivate var ofNew: HoldChange {
        var change = self
        (change.above, change.rate, change.pace) = (above.ofNew, rate.ofNew, pace.ofNew)
        (change.judgeMinutes, change.settleMinutes) = (judgeMinutes.ofNew, settleMinutes.ofNew)
        return change
    }
}

extension CharityChange {
    /// - Throws: ``FieldError`` for a value that no charity can have, or two that exclude each other.
    package func checked() throws(FieldError) -> CharityChange {
        try Self.settings.check(self)
        for (text, field) in [(url, "url"), (description, "description")] {
            if let text = text.value, text.utf8.count > Limits.descriptionBytesMax {
                throw FieldError(field, "\(field) is at most \(Limits.descriptionBytesMax) bytes.")
            }
            // PostgreSQL keeps no NUL in a text.
            if let text = text.value, text.utf8.contains(0) {
                throw FieldError(field, "\(field) has a NUL in it. Send a text without.")
            }
        }
        if let opens = opensAt.value, let closes = closesAt.value, opens >= closes { throw .badOpening }
        if let url = url.value, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
            throw FieldError("url", "url begins with https:// or http://.")
        }
        return self
    }
}

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

extension FieldError {
    /// A row of a board that sums has no single score, so it has no detail.
    package static let publicSums = FieldError(
        "details",
        "details is public only where one score of a player counts. Send private, or the policy best or latest.")
    fileprivate static let badOpening = FieldError("opens", "opens is not before closes.")
}
