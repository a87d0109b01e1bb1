import Credentials
import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Keys of operators and of games. Whoever makes a key makes its token too, so that a lost answer loses nothing.
extension AdminSettingHandlers {
    /// `GET /v1/admin/keys`
    func adminKeys(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await keysPage(request.parameters())
        return replies.list(Self.keyList, page, at: Routes.admin.keys.path(nil), as: format)
    }

    func keysPage(_ query: QueryParameters) async throws -> ListPage<KeyListing> {
        try await replies.page(query, at: Routes.admin.keys.path(nil)) { page in
            try await store.admin.keys(after: Int32(clamping: page.after?.number ?? 0), limitRows: page.limitRows + 1)
        } cursor: {
            (Int64($0.number), "")
        }
    }

    /// `PUT /v1/admin/keys/{id}`
    func addKey(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let fields = try request.fields(NewKey.settings)
        let (listed, isReplay) = try await makeKey(fields, try id.uuid(), by: admin)
        return replies.written(Self.keyList.object(listed), at: Routes.admin.key.path(id), isReplay: isReplay)
    }

    /// Makes a key that an operator may grant.
    func makeKey(_ fields: Fields, _ id: UUID, by admin: AdminKey) async throws -> (KeyListing, isReplay: Bool) {
        let key = try newKey(fields, id)
        if let scope = admin.scopes.firstNotGranted(of: key.scopes) { throw Problem.notGranted(scope) }
        let (outcome, listed) = try await store.admin.addKey(key, by: admin.id.text, now: clock.now)
        if outcome == .exists { throw Problem.idReused }
        if outcome == .noGame { throw FieldError("game", "There is no such game. Name it by its slug.") }
        try outcome.check()
        guard let listed else { throw Problem.noKey }
        return (listed, isReplay: outcome == .set)
    }

    /// `DELETE /v1/admin/keys/{id}`
    func endKey(_ request: Request, _ id: ClientID) async throws -> Response {
        let (listed, isReplay) = try await endKey(try id.uuid(), by: try await operators.admin(request, .operate))
        var response = replies.own(.ok, Self.keyList.object(listed))
        if isReplay { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    func endKey(_ id: UUID, by admin: AdminKey) async throws -> (KeyListing, isReplay: Bool) {
        let (outcome, listed) = try await store.admin.revokeKey(id, by: admin.id.text, now: clock.now)
        guard let listed, outcome != .noKey else { throw Problem.noKey }
        rankings.forgetCallers()
        return (listed, isReplay: outcome == .exists)
    }

    private func newKey(_ fields: Fields, _ id: UUID) throws -> NewKey {
        guard let kind = try fields.choice("kind", KeyKind.self) else {
            throw FieldError("kind", "kind is missing. Send admin or game.")
        }
        let token = try fields.text("token").flatMap { Token($0) }
        guard let token, token.kind == (kind == .admin ? .admin : .game) else {
            throw FieldError(
                "token",
                "token is \(kind == .admin ? "cba_" : "cbk_") and 32 random bytes in 43 characters of base64url.")
        }
        let game = try fields.value("game", "the slug of a game") { Slug($0) }
        guard (game != nil) == (kind == .game) else {
            throw FieldError("game", "A game's key names its game, and an admin key names none.")
        }
        guard let name = try fields.name() else { throw FieldError("name", "name is missing. Say what it is for.") }
        guard let scopes = try fields.texts("scopes") else {
            throw FieldError("scopes", "scopes is missing. \(KeyScopes.rule(kind))")
        }
        return NewKey(
            id: id, game: game, hash: token.hash, name: name, scopes: try KeyScopes(scopes, of: kind, field: "scopes"),
            expiresAt: try fields.instant("expires_at"))
    }

    static let keyList = AdminList<KeyListing>(
        name: "keys",
        columns: [
            Column("id", .text), Column("kind", .text), Column("game", .text), Column("name", .text),
            Column("scopes", .text), Column("added_at", .instant), Column("expires_at", .instant),
            Column("revoked_at", .instant), Column("last_used_on", .text),
        ]
    ) { key in
        [
            .value(.text(key.id.text)), .value(.text(key.scopes.kind.rawValue)), .value(.text(ifAny: key.game)),
            .value(.text(key.name)), .list(key.scopes.texts.map { .value(.text($0)) }), .value(.instant(key.addedAt)),
            .value(.instant(ifAny: key.expiresAt)), .value(.instant(ifAny: key.revokedAt)),
            .value(.text(ifAny: key.usedOn?.text)),
        ]
    }
}
