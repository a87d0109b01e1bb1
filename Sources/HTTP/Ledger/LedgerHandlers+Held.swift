import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Scores that wait for the verdict of their game.
extension LedgerHandlers {
    /// `GET /v1/games/{game}/held`
    func heldScores(_ request: Request, in game: Slug) async throws -> Response {
        _ = try await judgingKey(request, in: game)
        let path = Routes.v1.held.path(game)
        let page = try await replies.page(request.parameters(), at: path) { page in
            try await store.admin.heldScores(
                of: game,
                after: page.after.map { cursor in
                    HeldScore.Key(
                        judgeUntil: Instant(microsecondsSince1970: cursor.number),
                        item: UUID(uuidString: cursor.text) ?? QueueItem.Key.beginning.item)
                }, limitRows: Int32(clamping: page.limitRows + 1), now: clock.now)
        } cursor: {
            ($0.judgeUntil.microsecondsSince1970, $0.item.text)
        }
        return replies.own(.ok, Self.heldList.json(page.rows, next: page.next))
    }

    /// `PUT /v1/games/{game}/held/{item}` takes the game's verdict.
    func judge(_ request: Request, in game: Slug, _ item: ClientID) async throws -> Response {
        let key = try await judgingKey(request, in: game)
        let uuid = try item.uuid()
        let fields = try request.fields(["verdict"])
        guard let verdict = try fields.choice("verdict", Verdict.self) else {
            throw FieldError("verdict", "verdict is missing. Send clear or void.")
        }
        let outcome = try await writeBatcher.judge(uuid, of: game, verdict, by: key)
        func answer(_ state: LedgerState) -> Response {
            replies.own(.ok, .object([.init("item", .text(uuid.text)), .init("state", .text(state.rawValue))]))
        }
        switch outcome {
        case .done(let state): return answer(state)
        case .repeated(let state):
            var response = answer(state)
            response.headers[.idempotentReplayed] = "true"
            return response
        case .noItem: throw Problem.noHeldItem
        case .decided: throw Problem.verdictTooLate
        }
    }

    /// The key of a game that judges.
    /// - Throws: 401 for a key that is none, 403 for a player's token, another game's key, and one without the scope.
    private func judgingKey(_ request: Request, in game: Slug) async throws -> TokenHash {
        let key = try callers.gameKey(request)
        guard let found = try await store.findKey(key, now: clock.now) else { throw Problem.unauthorized }
        guard found.game == game else { throw Problem.otherGamesKey }
        guard found.scopes.allows(.judge) else { throw Problem.missing(.judge) }
        return key
    }

    private static let heldList = AdminList<HeldScore>(
        name: "held",
        columns: [
            Column("item", .text), Column("board", .text), Column("player", .integer), Column("score", .text),
            Column("points", .integer), Column("played_at", .instant), Column("detail", .text),
            Column("reached_at", .instant), Column("until", .instant),
        ]
    ) { held in
        [
            .value(.text(held.item.text)), .value(.text(held.board)), .value(.integer(Int128(held.player.rawValue))),
            .value(.text(held.score.text)), .value(.integer(Int128(held.points))),
            .value(.instant(ifAny: held.playedAt)), .value(.json(ifAny: held.detail)), .value(.instant(held.reachedAt)),
            .value(.instant(held.judgeUntil)),
        ]
    }
}
