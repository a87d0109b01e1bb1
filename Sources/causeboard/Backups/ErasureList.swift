import Domain
import FoundationEssentials
import Storage

/// The list of erasures in a file: a line for each, which begins with the player's id.
enum ErasureList {
    static func line(_ erasure: Erasure) -> String {
        "\(erasure.player.rawValue) \(erasure.receipt.uuidString.lowercased()) \(erasure.at.rfc3339(.microseconds))"
    }

    static func text(_ erasures: [Erasure]) -> String { erasures.map { line($0) + "\n" }.joined() }

    /// - Parameter name: What a message calls the text.
    static func players(in lines: [String], of name: String) throws(CommandError) -> [Player.ID] {
        var players: [Player.ID] = []
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            guard let id = line.split(separator: " ").first.flatMap({ Player.ID(digits: $0) }) else {
                throw CommandError("Line \(index + 1) of \(name) does not begin with a player's id.")
            }
            players.append(id)
        }
        return players
    }

    static func players(inFile path: String) throws(CommandError) -> [Player.ID] {
        let lines = try TextFile.lines(
            path, orSay: "The file \(path) cannot be read. Name one that `causeboard erasures list` has written.")
        return try players(in: lines, of: path)
    }

    /// Erases the players again.
    /// - Parameter store: Its sessions should be ``SessionPresets/ledger``.
    static func apply(_ players: [Player.ID], to store: Store) async throws -> Counts {
        var counts = Counts()
        for player in players {
            guard let record = try await store.admin.findPlayerRecord(player, withAnonymous: true) else {
                counts.unknown += 1
                continue
            }
            let action = ModerationAction(.erase(player, confirming: record.name), id: UUID(), reason: .erasedBefore)
            switch try await store.admin.perform(action, by: "cli", now: .now) {
            case .done: counts.erased += 1
            default: counts.already += 1
            }
        }
        return counts
    }

    struct Counts: CustomStringConvertible {
        var erased = 0
        var already = 0
        var unknown = 0

        var description: String { "\(erased) erased again, \(already) erased already, \(unknown) not there." }
    }
}
