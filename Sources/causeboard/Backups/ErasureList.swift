import Domain
import FoundationEssentials
import Storage

/// The list of erasures in a file: a line for each, which begins with the player's id.
enum ErasureList {
    static func line(_ erasure: Erasure) -> String {
        "\(erasure.player.rawValue) \(erasure.receipt.uuidString.lowercased()) \(erasure.at.rfc3339(.microseconds))"
    }

    static func text(_ erasures: [Erasure]) -> String {
        erasures.map { line($0) + "\n" }.joined()
    }

    /// - Parameter name: What a message calls the text.
    static func players(in text: String, of name: String) throws -> [Player.ID] {
        try text.split(whereSeparator: \.isNewline).enumerated().map { number, line in
            guard let id = line.split(separator: " ").first.flatMap({ Player.ID(digits: $0) }) else {
                throw CommandError("Line \(number + 1) of \(name) does not begin with a player's id.")
            }
            return id
        }
    }

    static func players(inFile path: String) throws -> [Player.ID] {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandError("The file \(path) cannot be read. Name one that `causeboard erasures list` has written.")
        }
        return try players(in: String(decoding: data, as: UTF8.self), of: path)
    }

    /// Erases the players again.
    /// - Parameter store: Its sessions should be ``SessionPresets/ledger``.
    static func apply(_ players: [Player.ID], to store: Store) async throws -> Counts {
        var counts = Counts()
        for player in players {
            guard let record = try await store.findPlayerRecord(player, withAnonymous: true) else {
                counts.unknown += 1
                continue
            }
            let act = Act(.erase(player, confirming: record.name), id: UUID(), reason: .erasedBefore)
            switch try await store.perform(act, by: "cli", now: .now) {
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

        var description: String {
            "\(erased) erased again, \(already) erased already, \(unknown) not there."
        }
    }
}
