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

extension Problem {
    /// Why a moderation action was not done.
    init(_ outcome: ModerationOutcome) {
        let sentence = outcome.refusal ?? ""
        switch outcome {
        case .done, .repeated: self = .bug
        case .idReused: self.init(.idReused, sentence, field: "id")
        case .noPlayer: self = .noPlayer
        case .noScore, .noDonation: self.init(.notFound, sentence, field: "on")
        case .noAction, .noItem, .noBoard, .noTeam, .noAward: self.init(.notFound, sentence)
        case .notConfirmed: self.init(.confirm, sentence, field: "confirm")
        case .conflict(let action): self.init(conflictingAction: action, sentence)
        case .noPicture, .notGranted, .boardClosed, .walletFull, .boardFull: self.init(conflictingAction: nil, sentence)
        case .outOfBounds(let bounds): self = .outOfBounds(bounds)
        }
    }
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
        case .noProvider: throw Problem.noProvider
        case .noAward: throw Problem.noAward
        default: if let refusal { throw refusal }
        }
    }
}
