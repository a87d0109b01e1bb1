/// What a player has to do for an award. A value of it is a condition that makes sense.
package enum AwardRule: Sendable, Equatable {
    /// The points of a board reach a number, in a season or on one day of it; where low is good, they are at most that.
    /// Without a season, in any.
    case points(board: Slug, season: Int32?, window: AwardWindow, atLeast: Int64)
    /// Scores that count were posted on so many days of 366; without a board, on any board of the game.
    case days(board: Slug?, atLeast: Int64)
    /// The same on so many days in a row.
    case streak(board: Slug?, atLeast: Int64)
    /// So many points are funded of what was donated by name, to all charities.
    case given(atLeast: Int64)
    /// Donations by name went to so many charities.
    case charities(atLeast: Int64)
    /// The rank in a season that is over; without a season, in each of them.
    case rank(board: Slug, season: Int32?, atLeast: Int64)
    /// The rank in a campaign that is over, over donations or over a board of the game.
    case contestRank(campaign: Slug, atLeast: Int64)
    /// The game, or an operator, says who has it.
    case granted

    /// What the rule is called.
    package enum Kind: String, Sendable, CaseIterable {
        case points
        case days
        case streak
        case given
        case charities
        case rank
        case granted
    }

    /// The fields of a rule, as the API has them.
    package struct Fields: Sendable, Hashable {
        package var kind: Kind
        package var atLeast: Int64?
        package var board: Slug?
        package var season: Int32?
        /// A campaign, for a rank, in place of a board.
        package var contest: Slug?
        /// Nil for the one that is usual.
        package var window: AwardWindow?

        package init(
            kind: Kind, atLeast: Int64? = nil, board: Slug? = nil, season: Int32? = nil, contest: Slug? = nil,
            window: AwardWindow? = nil
        ) {
            (self.kind, self.atLeast, self.board, self.season) = (kind, atLeast, board, season)
            (self.contest, self.window) = (contest, window)
        }

        /// What a change begins with: the condition before, or nothing of it where the rule is another one.
        /// - Parameter kind: The rule that was asked for; nil for the one before.
        /// - Throws: ``FieldError`` where there is no rule.
        package init(changing before: AwardRule?, to kind: Kind?) throws(FieldError) {
            guard let kind = kind ?? before?.fields.kind else {
                let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw FieldError("rule", "rule is missing. Send one of \(kinds).")
            }
            guard let fields = before?.fields, fields.kind == kind else {
                self.init(kind: kind)
                return
            }
            self = fields
        }
    }

    /// - Throws: ``FieldError`` for a field that is missing or out of range, or that the rule does not have.
    package init(_ fields: Fields) throws(FieldError) {
        let kind = fields.kind
        if fields.board != nil, [.given, .charities, .granted].contains(kind) { throw kind.refusal(of: "board") }
        if fields.season != nil, kind != .points, kind != .rank { throw kind.refusal(of: "season") }
        if fields.window != nil, kind != .points { throw kind.refusal(of: "window") }
        if fields.contest != nil {
            if kind != .rank { throw kind.refusal(of: "contest") }
            if fields.board != nil || fields.season != nil {
                throw FieldError("contest", "contest takes the place of board and season. Send null for these.")
            }
        }
        if let season = fields.season, season < 1 {
            throw FieldError("season", "season is the number of a season, from 1 on.")
        }
        switch kind {
        case .points:
            self = .points(
                board: try kind.board(fields), season: fields.season, window: fields.window ?? .season,
                atLeast: try kind.atLeast(fields, Limits.awardPoints))
        case .days: self = .days(board: fields.board, atLeast: try kind.atLeast(fields, Limits.awardDays))
        case .streak: self = .streak(board: fields.board, atLeast: try kind.atLeast(fields, Limits.awardDays))
        case .given: self = .given(atLeast: try kind.atLeast(fields, 1...Limits.walletPointsMax))
        case .charities: self = .charities(atLeast: try kind.atLeast(fields, Limits.awardCharities))
        case .rank:
            let atLeast = try kind.atLeast(fields, Limits.awardRanks)
            if let contest = fields.contest {
                self = .contestRank(campaign: contest, atLeast: atLeast)
            } else {
                self = .rank(board: try kind.board(fields), season: fields.season, atLeast: atLeast)
            }
        case .granted:
            if fields.atLeast != nil { throw kind.refusal(of: "at_least") }
            self = .granted
        }
    }

    package var fields: Fields {
        switch self {
        case .points(let board, let season, let window, let atLeast):
            Fields(kind: .points, atLeast: atLeast, board: board, season: season, window: window)
        case .days(let board, let atLeast): Fields(kind: .days, atLeast: atLeast, board: board)
        case .streak(let board, let atLeast): Fields(kind: .streak, atLeast: atLeast, board: board)
        case .given(let atLeast): Fields(kind: .given, atLeast: atLeast)
        case .charities(let atLeast): Fields(kind: .charities, atLeast: atLeast)
        case .rank(let board, let season, let atLeast):
            Fields(kind: .rank, atLeast: atLeast, board: board, season: season)
        case .contestRank(let campaign, let atLeast): Fields(kind: .rank, atLeast: atLeast, contest: campaign)
        case .granted: Fields(kind: .granted)
        }
    }
}

/// The days whose points an award is for.
package enum AwardWindow: String, Sendable, CaseIterable {
    case season
    /// One day in the board's zone.
    case day
}

extension AwardRule.Kind {
    fileprivate func board(_ fields: AwardRule.Fields) throws(FieldError) -> Slug {
        guard let board = fields.board else {
            let other = self == .rank ? ", or that of a campaign as contest" : ""
            throw FieldError("board", "board is missing. Send the slug of the board for the rule \(rawValue)\(other).")
        }
        return board
    }

    fileprivate func atLeast(_ fields: AwardRule.Fields, _ range: ClosedRange<Int64>) throws(FieldError) -> Int64 {
        guard let atLeast = fields.atLeast, range.contains(atLeast) else {
            throw FieldError(
                "at_least",
                "at_least is \(range.lowerBound) to \(range.upperBound) for the rule \(rawValue). Send a number of these."
            )
        }
        return atLeast
    }

    fileprivate func refusal(of field: String) -> FieldError {
        FieldError(field, "The rule \(rawValue) has no \(field). Leave it out.")
    }
}

extension Limits {
    /// Points that an award may be for, exact in every JSON reader.
    package static let awardPoints: ClosedRange<Int64> = -walletPointsMax...walletPointsMax
    /// Days that an award may count: those of a year.
    package static let awardDays: ClosedRange<Int64> = 1...366
    package static let awardCharities: ClosedRange<Int64> = 1...10_000
    package static let awardRanks: ClosedRange<Int64> = 1...1_000
    /// Awards of a game.
    package static let awardsOfGameMax: Int64 = 1_000
    /// UTF-8 bytes of the text of an award.
    package static let awardTextBytesMax = 2_000
    /// Awards of a player that its profile shows, the newest.
    package static let awardsShown: Int32 = 100
}
