import ArgumentParser
import Domain
import FoundationEssentials
import Storage

// These conformances parse the domain's values from command-line arguments.

extension Slug: ExpressibleByArgument { public init?(argument: String) { self.init(argument) } }

extension DisplayName: ExpressibleByArgument { public init?(argument: String) { self.init(argument) } }

extension Player.ID: ExpressibleByArgument { public init?(argument: String) { self.init(digits: argument[...]) } }

/// An argument that is a UUID.
struct UUIDArgument: ExpressibleByArgument, Sendable {
    let uuid: UUID

    init?(argument: String) {
        guard let uuid = UUID(uuidString: argument) else { return nil }
        self.uuid = uuid
    }
}

extension Game.Classic: ExpressibleByArgument {}
extension IdentityProvider.Kind: ExpressibleByArgument {}
extension AwardRule.Kind: ExpressibleByArgument {}
extension AwardWindow: ExpressibleByArgument {}

/// The argument of an optional setting: a value, or `none` to remove the setting.
struct Optionally<Value: Sendable & ExpressibleByArgument>: ExpressibleByArgument, Sendable {
    let change: Patch<Value>

    init?(argument: String) {
        if argument == "none" {
            change = .clear
        } else {
            guard let value = Value(argument: argument) else { return nil }
            change = .set(value)
        }
    }
}

/// An argument that is an instant in RFC 3339, such as `2026-11-21T10:00:00Z`.
struct InstantArgument: ExpressibleByArgument, Sendable {
    let instant: Instant

    init?(argument: String) {
        guard let instant = Instant(rfc3339: argument) else { return nil }
        self.instant = instant
    }
}

extension Optional {
    /// The patch that this argument means; a missing argument keeps the setting.
    func change<Value>() -> Patch<Value> where Wrapped == Optionally<Value> { self?.change ?? .keep }
}

extension FieldError {
    /// The sentence with the names of settings as the command line spells them: the one that it begins with, and others
    /// in snake_case.
    var asOption: String {
        let words = description.split(separator: " ", omittingEmptySubsequences: false).enumerated().map {
            index, word in
            let name = word.prefix { $0.isLetter || $0 == "_" }
            guard index == 0 && name == field || name.contains("_") else { return String(word) }
            return "--" + name.map { $0 == "_" ? "-" : String($0) }.joined() + word.dropFirst(name.count)
        }
        return words.joined(separator: " ")
    }
}

extension AdminOutcome {
    /// Prints the success, or throws a sentence that says what to do.
    /// - Parameter thing: What was added or changed, such as "game snake".
    /// - Throws: ``CommandError`` when nothing was changed.
    func check(_ thing: String) throws {
        switch self {
        case .added: try Output.line("Added \(thing).")
        case .set: try Output.line("Changed \(thing).")
        case .exists: throw CommandError("There is a \(thing) already. Use set to change it.")
        case .noGame: throw CommandError("There is no such game. Add it with: causeboard game add")
        case .noBoard: throw CommandError("There is no \(thing). Add it with: causeboard board add")
        case .noCharity: throw CommandError("There is no \(thing). Add it with: causeboard charity add")
        case .noKey: throw CommandError("There is no \(thing) of this game. See: causeboard key list")
        case .noProvider: throw CommandError("There is no \(thing) of this game. See: causeboard provider list")
        case .noAward: throw CommandError("There is no \(thing) of this game. See: causeboard award list")
        case .stale: throw CommandError("The \(thing) was changed at the same moment. Do it again.")
        case .badExpiry: throw CommandError("--expires is in the past. Give a later time, or none.")
        default: if let refusal { throw CommandError(refusal.asOption) }
        }
    }
}
