import enum Contract.ProblemName
import Domain
import HTTPTypes
import Leaderboard

// The sentences about scores and donations.
extension Problem {
    static func outOfBounds(_ bounds: ClosedRange<Int64>) -> Problem {
        Problem(
            .outOfBounds,
            "The points are outside the board's bounds. Send \(bounds.lowerBound) to \(bounds.upperBound).",
            field: "points")
    }

    /// The sum of a player's points on a board, or on one of its days, leaves 64 bits.
    static let totalTooLarge = Problem(
        .outOfBounds,
        "The player's total on this board would no longer fit into 64 bits. Send points that keep it in range.",
        field: "points")

    static func overspent(_ field: String) -> Problem {
        Problem(.overspent, "This is more than the balance. Donate at most the points that are left.", field: field)
    }

    /// Points that are too new to be donated; it says the same of all points.
    static func settling(_ field: String, readyAt: Instant?, now: Instant) -> Problem {
        let microseconds = (readyAt ?? now).microsecondsSince1970.subtractingReportingOverflow(
            now.microsecondsSince1970
        ).partialValue
        return Problem(
            settlingFor: max(1, microseconds / 1_000_000 + 1), field,
            "Some of these points are too new to be donated. Donate the same again after Retry-After, or fewer now.")
    }

    static let noHeldItem = Problem(.notFound, "No post of this game waits under this item. Take one of the list.")
    static let verdictTooLate = Problem(
        conflictingAction: nil,
        "This post waits for no verdict any more: its time is over, or it was decided. Go on with the list.")

    static let banned = Problem(
        .banned,
        "The player may not write here for now. What it has is still there to read. Ask who operates the server.")

    static func pictureRefused(_ field: String) -> Problem {
        Problem(.field, "The picture was taken down here before. Choose another one.", field: field)
    }

    static func boardClosed(_ hours: OpeningHours.State?) -> Problem {
        Problem(.boardClosed, "The board takes no posts now. \(hours?.sentence ?? "")", field: "board")
    }

    static func charityClosed(_ hours: OpeningHours.State?) -> Problem {
        Problem(.charityClosed, "The charity takes no donations now. \(hours?.sentence ?? "")", field: "charity")
    }

    static func capReached(_ cap: CapReached, _ field: String) -> Problem {
        let room = cap.room == 0 ? "no more points" : "\(cap.room) more points at most"
        let advice =
            cap.againAt.map { "Donate that many again at \($0.rfc3339(.seconds))." }
            ?? "Donate fewer, or to another charity."
        return Problem(cap, field, "The charity takes \(room) now. \(advice)")
    }

    static let coolingOffOver = Problem(
        .coolingOffOver,
        "This donation can no longer be taken back: its cooling off is over, or the charity has closed. Keep it.")

    static let badSignature = Problem(
        .badSignature,
        "Causeboard-Signature is missing or does not fit. Sign method, path, query, time and body as they are sent, "
            + "with the sign_key of this token.", field: HTTPField.Name.causeboardSignature.rawName)
    static let clockSkew = Problem(
        .clockSkew,
        "Causeboard-Signature has a time that is over \(Limits.signatureSkewSecondsMax) s off. "
            + "Take the time from the Date header of this response, and sign again.",
        field: HTTPField.Name.causeboardSignature.rawName)
    static let serverOnly = Problem(
        .serverOnly, "Players do not post to this board. The game's own server does, with the game's key.")
    static let classicUnsigned = Problem(
        .badSignature, "This board takes signed posts only, which the classic protocol has not. Use the v1 protocol.",
        field: "board")
}

extension OpeningHours.State {
    /// What a client is told about a board or charity that refused a post. If it is open now, it has changed since.
    fileprivate var sentence: String {
        switch self {
        case .opens(let instant): "It opens at \(instant.rfc3339(.seconds))."
        case .closed(let instant): "It closed at \(instant.rfc3339(.seconds))."
        case .open: "Try again."
        }
    }
}

// Refusals that say what would be accepted. They read the board, so only refused requests pay for that.
extension Rankings {
    /// The board of a ranking.
    /// - Throws: 404 when there is no such game, board, season or charity.
    func board(_ subject: Rankings.Subject) async throws -> Board {
        if let board = try await findBoard(subject) { return board }
        switch subject {
        case .score(_, _, .some): throw Problem.noSeason
        case .score: throw Problem.noBoard
        case .charity: throw Problem.noCharity
        case .contributors: throw Problem.bug
        }
    }

    /// A charity with its rank among all.
    /// - Throws: 404 when there is none.
    func charity(_ slug: Slug) async throws -> (charity: Charity, rank: Rank, size: Int, validator: CacheValidator?) {
        let (all, validator) = try await allCharities()
        let ranking = CharityRanking(all: all, pageRequest: .top, limitRows: .max)
        guard let index = all.firstIndex(where: { $0.slug == slug.description }) else { throw Problem.noCharity }
        return (all[index], ranking.ranks[index], all.count, validator)
    }

    /// The problem of a post to a closed board, with the time at which it opens or closed.
    func boardClosed(_ board: Slug, in game: Slug, now: Instant) async throws -> Problem {
        .boardClosed(try await hours(.score(game: game, board: board, season: nil), now: now))
    }

    /// The problem of points outside a board's bounds, with the bounds, or of a total beyond 64 bits.
    func outOfBounds(_ points: Int64, on board: Slug, in game: Slug) async throws -> Problem {
        guard let board = try await findBoard(.score(game: game, board: board, season: nil)) else { return .noBoard }
        return board.bounds.contains(points) ? .totalTooLarge : .outOfBounds(board.bounds)
    }

    /// The problem of a donation to a closed charity, with the time at which it opens or closed.
    func charityClosed(_ charity: Slug, now: Instant) async throws -> Problem {
        .charityClosed(try await hours(.charity(charity), now: now))
    }

    private func hours(_ subject: Rankings.Subject, now: Instant) async throws -> OpeningHours.State? {
        guard let board = try await findBoard(subject) else { return nil }
        return OpeningHours(opensAt: board.opensAt, closesAt: board.closesAt).state(at: now)
    }
}
