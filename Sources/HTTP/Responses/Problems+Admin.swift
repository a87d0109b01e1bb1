import enum Contract.ProblemName
import Domain
import FoundationEssentials
import Storage

// The sentences of the admin API, and of keys that may not do what they are used for.
extension Problem {
    static let notAnAdmin = Problem(
        .unauthorized,
        "Say who calls: send Authorization: Bearer with an admin key, which causeboard key add --admin makes.")

    static func missing(_ scope: KeyScope) -> Problem {
        Problem(missing: scope, "This key lacks the scope \(scope). Use one that has it.")
    }

    static func notGranted(_ scope: KeyScope) -> Problem {
        Problem(
            missing: scope.kind == .game ? .operate : scope,
            "A key grants only what it has, and this one lacks \(scope). Leave it out, or use a key that has it.")
    }

    static let noVersion = Problem(
        .precondition,
        "Say which version you change: send If-Match with the one ETag that a GET of this address has answered.")
    static let notSaidToBeNew = Problem(
        .precondition, "Say that this is new: send If-None-Match: *. To change what is there, use PATCH.")

    static func changedMeanwhile(_ etag: String?) -> Problem {
        Problem(stale: etag, "This has changed since. GET it, make the change again, and send it with its ETag.")
    }

    static func isThere(_ etag: String?) -> Problem {
        Problem(stale: etag, "This is there already. Use PATCH to change it.")
    }

    static let badDryRun = Problem(
        .malformed, "dry is true or false. Leave it out to carry out the action.", field: "dry")
    static let noAction = Problem(.notFound, "There is no such action. Name it by its id.")
    static let noScoreOfPlayer = Problem(.notFound, "The player has no such score. Name it by its id.", field: "on")
    static let noDonationOfPlayer = Problem(
        .notFound, "The player has no such donation. Name it by its id.", field: "on")
    static let noPictureOfPlayer = Problem(conflictingAction: nil, "The player has no picture.")
    static let walletFull = Problem(
        conflictingAction: nil,
        "The player would have earned more than a wallet holds, which is \(Limits.walletPointsMax) points. Let a score "
            + "earn less, or do not merge the players.")
    static let boardFull = Problem(
        conflictingAction: nil,
        "The player's sum on a board would be beyond \(Int64.max) points. Void some scores first, or do not merge the "
            + "players.")

    static let nextSeasonClosed = Problem(
        conflictingAction: nil, "The board has closed, and so would the next season. Take closes away first.")

    static func actConflict(_ action: UUID?) -> Problem {
        Problem(
            conflictingAction: action,
            action == nil
                ? "It is so already, or not in a state for this. Look at the player's actions."
                : "Another action stands in the way. Undo that one first, if you may.")
    }

    static let noKey = Problem(.notFound, "There is no such key. Name it by its id.", field: "id")
    static let badSearchField = Problem(.malformed, "Ask for one of name, id and external, and for no two of them.")
    static let badSearchName = Problem(
        .malformed, "name is longer than a name can be. Ask for the whole name of a player.", field: "name")
    static let badPlayerID = Problem(.malformed, "id is no player id. Send digits only.", field: "id")
    static let tooManyStats = Problem(
        .malformed,
        "More than \(Limits.statsRowsMax) rows were written in these days, too many to add up now. Ask for fewer days.",
        field: "days")
}

extension AdminOutcome {
    /// - Throws: ``Problem`` or ``FieldError`` unless the settings are as was asked for.
    /// - Parameter etag: The ETag of what is there now; nil when there is nothing.
    func check(_ etag: String? = nil) throws {
        switch self {
        case .added, .set: return
        case .exists: throw Problem.isThere(etag)
        case .stale: throw Problem.changedMeanwhile(etag)
        case .noGame: throw Problem.noGame
        case .noBoard: throw Problem.noBoard
        case .noCharity: throw Problem.noCharity
        case .noKey: throw Problem.noKey
        case .badZone:
            throw FieldError("zone", "There is no such time zone. Send the zone of a place, such as Europe/Berlin.")
        case .badBounds: throw FieldError("points_min", "points_min would be above points_max. Send both.")
        case .badTimes: throw FieldError("opens", "It would close before it opens. Send both opens and closes.")
        case .badHold:
            throw FieldError(
                "hold_above",
                "hold_above is 1 or more where high is good, and below 1 where low is, where there is no hold_pace.")
        case .badDetails: throw FieldError.publicSums
        case .closed: throw FieldError("closes", "It has closed. Take closes away first.")
        case .fixed: throw FieldError("policy", "order, policy and zone are fixed after the first post.")
        case .classic: throw FieldError("policy", "Classic clients expect this board to keep the best, highest first.")
        case .nameTaken:
            throw FieldError(
                "name", kind: .nameRefused, "Another charity has this name. Choose one that nobody mistakes for it.")
        case .tokenTaken: throw FieldError("token", "Another key has this token. Make a new one.")
        case .badExpiry: throw FieldError("expires_at", "expires_at is in the past. Send a later time, or none.")
        }
    }
}
