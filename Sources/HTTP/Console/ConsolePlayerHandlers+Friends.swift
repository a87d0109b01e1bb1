import Domain
import HTTPServer
import Pages
import Storage

// The friends of a player, for operators who may see what is personal.
extension ConsolePlayerHandlers {
    /// `GET /admin/players/{player}/friends`
    func consoleFriends(_ request: Request, of player: Player.ID) async throws -> Response {
        let session = try await sessions.signedIn(request, .personal)
        let ties = Dictionary(grouping: try await players.ties(of: player), by: \.list)
        var page = sessions.page("Friends", .players, for: session)
        page.path = [
            ConsoleLink("Players", ConsolePath.players),
            ConsoleLink(try await subjects.name(of: player), Routes.console.player.path(player)),
        ]
        page.intro = "These lists are as the player sees them. Hidden players are in none of them."
        for list in OwnTie.List.allCases {
            page.add(list.heading, id: list.rawValue, [.table(Self.table(of: ties[list] ?? [], list))])
        }
        return sessions.reply(page)
    }

    private static func table(of ties: [OwnTie], _ list: OwnTie.List) -> ConsoleTable {
        ConsoleTable(
            ties.isEmpty ? list.heading : "\(ties.count), newest first",
            [ConsoleTable.Column("Player"), ConsoleTable.Column("Id"), ConsoleTable.Column("Since (UTC)")],
            ties.map { tie in
                [
                    .link(ConsoleLink(tie.other.name, Routes.console.player.path(tie.other.id))),
                    .code("\(tie.other.id.rawValue)"), .text(tie.at.dayInUTC.isoDate),
                ]
            }, empty: "None.")
    }

    /// How many there are in each list, which leads to their names.
    func friendsFact(of player: Player.ID) async throws -> ConsoleCell {
        let counts = Dictionary(grouping: try await players.ties(of: player), by: \.list).mapValues(\.count)
        let others = [OwnTie.List.asked, .asking, .blocked].compactMap { list in
            counts[list].map { "\(list.heading.lowercased()): \($0)" }
        }
        let link = ConsoleCell.link(
            ConsoleLink("\(counts[.friend] ?? 0)", Routes.console.friends.path(player), about: "friends of this player")
        )
        return others.isEmpty ? link : .both(link, .text(others.joined(separator: ", ")))
    }
}

extension OwnTie.List {
    fileprivate var heading: String {
        switch self {
        case .friend: "Friends"
        case .asked: "Requests received"
        case .asking: "Requests sent"
        case .blocked: "Blocked players"
        }
    }
}
