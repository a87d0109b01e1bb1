import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// What waits for an operator's decision, and who was erased.
extension ModerationHandlers {
    /// `GET /v1/admin/queue`
    func queue(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let admin = try await operators.admin(request, .read)
        let page = try await queuePage(request.parameters(), for: admin)
        return replies.list(Self.queueList, page, at: Routes.admin.queue.path(nil), as: format)
    }

    func queuePage(_ query: QueryParameters, for admin: AdminKey) async throws -> ListPage<QueueItem> {
        var kind: QueueItem.Kind?
        if let word = query["kind"] {
            guard word.utf8.count <= 16, let known = QueueItem.Kind(rawValue: word) else { throw Problem.badQueueKind }
            kind = known
        }
        return try await replies.page(query, at: Routes.admin.queue.path(nil)) { page in
            try await store.admin.queue(
                kind,
                after: page.after.map { cursor in
                    QueueItem.Key(
                        at: Instant(microsecondsSince1970: cursor.number),
                        item: UUID(uuidString: cursor.text) ?? QueueItem.Key.beginning.item)
                } ?? .beginning, limitRows: Int32(clamping: page.limitRows + 1),
                withWords: admin.scopes.allows(.personal))
        } cursor: {
            ($0.at.microsecondsSince1970, $0.item.text)
        }
    }

    /// `GET /v1/admin/erasures`
    func erasures(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let path = Routes.admin.erasures.path(nil)
        let page = try await replies.page(request.parameters(), at: path) { page in
            try await store.erasures(
                after: page.after.map { cursor in
                    Erasure.Key(
                        at: Instant(microsecondsSince1970: cursor.number),
                        player: Player.ID(rawValue: Int64(cursor.text) ?? 0))
                } ?? .beginning, limitRows: Int32(clamping: page.limitRows + 1))
        } cursor: {
            ($0.at.microsecondsSince1970, String($0.player.rawValue))
        }
        return replies.list(Self.erasureList, page, at: path, as: format)
    }

    static let queueList = AdminList<QueueItem>(
        name: "queue",
        columns: [
            Column("item", .text), Column("kind", .text), Column("player", .integer), Column("team", .integer),
            Column("score", .text), Column("why", .text), Column("at", .instant), Column("times", .integer),
            Column("sources", .integer), Column("words", .text),
        ]
    ) { item in
        [
            .value(.text(item.item.text)), .value(.text(item.kind.rawValue)),
            item.player.map { .value(.integer(Int128($0.rawValue))) } ?? .value(.none),
            item.team.map { .value(.integer(Int128($0.rawValue))) } ?? .value(.none),
            .value(.text(ifAny: item.score?.text)), .value(.text(item.why)), .value(.instant(item.at)),
            .value(.integer(Int128(item.times))), .value(.integer(Int128(item.sources))),
            item.words.map { words in .list(words.map { .value(.text($0)) }) } ?? .value(.none),
        ]
    }

    private static let erasureList = AdminList<Erasure>(
        name: "erasures", columns: [Column("player", .integer), Column("receipt", .text), Column("at", .instant)]
    ) { erasure in
        [
            .value(.integer(Int128(erasure.player.rawValue))), .value(.text(erasure.receipt.text)),
            .value(.instant(erasure.at)),
        ]
    }
}
