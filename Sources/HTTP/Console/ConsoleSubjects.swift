import Domain
import FoundationEssentials
import Leaderboard
import Pages
import Storage

/// Who and what the console is about, by name: an id alone tells an operator nothing.
final class ConsoleSubjects: Sendable {
    let store: Store
    let rankings: Rankings

    init(store: Store, rankings: Rankings) { (self.store, self.rankings) = (store, rankings) }

    /// The names of players; those who are not known are left out.
    func names(of players: [Player.ID]) async throws -> [Player.ID: String] {
        let wanted = Array(Set(players).prefix(Limits.feedRowsMax))
        guard !wanted.isEmpty else { return [:] }
        return Dictionary(try await store.summaries(of: wanted).map { ($0.player, $0.name) }) { first, _ in first }
    }

    /// A player's name, or the id where there is none.
    func name(of player: Player.ID) async throws -> String {
        try await names(of: [player])[player] ?? "\(player.rawValue)"
    }

    /// A player's name as a link, with the id below it.
    static func cell(of player: Player.ID, _ names: [Player.ID: String], isLinked: Bool = true) -> ConsoleCell {
        let id = "\(player.rawValue)"
        guard let name = names[player] else {
            return isLinked ? .link(ConsoleLink(id, Routes.console.player.path(player))) : .code(id)
        }
        let first: ConsoleCell = isLinked ? .link(ConsoleLink(name, Routes.console.player.path(player))) : .text(name)
        return .both(first, .code(id))
    }

    /// What an action is about, in words.
    func about(_ form: ModerationForm) async throws -> ModerationForm.About {
        var about = ModerationForm.About()
        let sent = form.sent
        if let item = UUID(uuidString: sent["item"]), let found = try await store.admin.findQueueItem(item) {
            about.kind = found.kind
            about.player = found.player
        }
        if let player = Player.ID(digits: sent["player"][...]) { about.player = player }
        if let player = about.player {
            about.name = try await names(of: [player])[player]
            if let score = UUID(uuidString: sent["score"]) {
                about.points = try await store.admin.findPoints(ofScore: score, of: player)
            }
        }
        if let game = Slug(sent["game"]), let slug = Slug(sent["board"]),
            let listing = try await store.admin.findBoardListing(slug, in: game)
        {
            let board = try await rankings.board(.score(game: game, board: slug, season: nil))
            about.board = .init(
                game: game, slug: slug, name: listing.name.description,
                gameName: try await store.admin.findGame(game)?.name.description ?? game.description,
                season: Int64(listing.season) + 1, players: try await rankings.size(of: board, window: .all))
        }
        return about
    }

    /// The subject of an entry of the log, such as `board=lap;game=maze`, with names for ids.
    static func cell(ofSubject subject: String, values: String?, _ players: [Player.ID: String], keys: [String: String])
        -> ConsoleCell
    {
        var words: [String] = []
        var player: Player.ID?
        for part in subject.split(separator: ";") {
            let (name, value) = parted(part)
            if name == "player", let id = Player.ID(digits: value) {
                player = id
            } else {
                words.append("\(name) \(name == "key" ? keys[String(value)] ?? String(value) : String(value))")
            }
        }
        if let values { words.append(values) }
        let rest = words.joined(separator: ", ")
        guard let player else { return .text(rest) }
        let cell = cell(of: player, players)
        return rest.isEmpty ? cell : .both(cell, .text(rest))
    }

    /// The player of a log entry.
    static func player(ofSubject subject: String) -> Player.ID? {
        for part in subject.split(separator: ";") {
            let (name, value) = parted(part)
            if name == "player", let id = Player.ID(digits: value) { return id }
        }
        return nil
    }

    private static func parted(_ part: Substring) -> (name: Substring, value: Substring) {
        guard let sign = part.firstIndex(of: "=") else { return (part, "") }
        return (part[..<sign], part[part.index(after: sign)...])
    }
}
