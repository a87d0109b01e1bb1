import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Moderation actions, and the audit log.
final class ModerationHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let writeBatcher: WriteBatcher
    let operators: OperatorKeys
    let replies: Replies

    init(store: Store, rankings: Rankings, writeBatcher: WriteBatcher, operators: OperatorKeys, replies: Replies) {
        (self.store, self.rankings, self.writeBatcher, self.operators) = (store, rankings, writeBatcher, operators)
        self.replies = replies
    }

    static func of(_ handlers: Handlers) -> ModerationHandlers { handlers.moderation }

    /// `PUT /v1/admin/acts/{id}`; with `?dry=true` it is only tried.
    func moderate(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await operators.admin(request, .moderate)
        let isDry = try dryRun(request)
        let uuid = try id.uuid()
        let fields = try ModerationFields(try request.fields(ModerationFields.known))
        let action = ModerationAction(try fields.kind(), id: uuid, reason: try fields.reason())
        let (receipt, isReplay) = try await perform(action, by: admin, isDry: isDry)
        let tree = JSONTree.object(Self.members(receipt))
        return isDry
            ? replies.own(.ok, tree) : replies.written(tree, at: Routes.admin.action.path(id), isReplay: isReplay)
    }

    /// Carries out an action for an operator who may do it, or tries it. The receipt is as the operator may see it.
    /// - Throws: ``Problem`` when it cannot be done, and when it would tell the operator who donated anonymously.
    func perform(_ action: ModerationAction, by admin: AdminKey, isDry: Bool) async throws -> (
        receipt: ModerationReceipt, isReplay: Bool
    ) {
        if let scope = action.kind.scope, !admin.scopes.allows(scope) { throw Problem.missing(scope) }
        if case .undo(let other) = action.kind, !admin.scopes.allows(.personal), try await store.admin.isMerge(other) {
            throw Problem.missing(.personal)
        }
        // Who may not know who donated anonymously cannot find it out by trying.
        if !admin.scopes.allows(.personal), try await store.admin.tellsOfAnonymity(action.kind, action.id) {
            if case .undo = action.kind { throw Problem(.noAction) }
            throw Problem(.noDonation)
        }
        let outcome = try await writeBatcher.perform(action, by: admin.id.text, isDry: isDry)
        switch outcome {
        case .done(let receipt), .repeated(let receipt):
            forget(action.kind, receipt)
            return (
                receipt.seen(withAnonymous: admin.scopes.allows(.personal)), isReplay: outcome == .repeated(receipt)
            )
        case .conflict(let other): throw Problem(.conflict(try await tellable(other, to: admin)))
        default: throw Problem(outcome)
        }
    }

    /// An action that is in the way, unless that it is would tell the operator who donated anonymously.
    private func tellable(_ action: UUID?, to admin: AdminKey) async throws -> UUID? {
        guard let action, !admin.scopes.allows(.personal) else { return action }
        return try await store.admin.findAction(action)?.isAboutAnonymous == false ? action : nil
    }

    /// `GET /v1/admin/acts/{id}`
    func pastAction(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await operators.admin(request, .read)
        let found = try await foundAction(try id.uuid(), for: admin)
        return replies.own(
            .ok,
            .object(
                Self.members(found.receipt) + [
                    .init("reason", .text(ifAny: found.reason)), .init("undone_by", .text(ifAny: found.undoneBy?.text)),
                ]))
    }

    /// An action that was done, as an operator may see it who may know of it.
    func foundAction(_ id: UUID, for admin: AdminKey) async throws -> (
        receipt: ModerationReceipt, reason: String?, undoneBy: UUID?, isAboutAnonymous: Bool
    ) {
        guard var found = try await store.admin.findAction(id) else { throw Problem(.noAction) }
        let isPersonal = admin.scopes.allows(.personal)
        if found.isAboutAnonymous, !isPersonal { throw Problem.missing(.personal) }
        found.receipt = found.receipt.seen(withAnonymous: isPersonal)
        return found
    }

    /// `GET /v1/admin/log`
    func log(_ request: Request, _ format: ListFormat?) async throws -> Response {
        let admin = try await operators.admin(request, .read)
        let page = try await logPage(request.parameters(), for: admin)
        return replies.list(Self.logList, page, at: Routes.admin.log.path(nil), as: format)
    }

    func logPage(_ query: QueryParameters, for admin: AdminKey) async throws -> ListPage<SeenEntry> {
        try await entries(query, at: Routes.admin.log.path(nil), for: admin) { before, rows, _ in
            try await store.admin.log(before: before, rows: rows)
        }
    }

    /// `GET /v1/admin/players/{player}/acts`
    func playerActions(_ request: Request, of player: Player.ID, _ format: ListFormat?) async throws -> Response {
        let admin = try await operators.admin(request, .read)
        let page = try await actionsPage(request.parameters(), of: player, for: admin)
        return replies.list(Self.logList, page, at: Routes.admin.playerActions.path(player, nil), as: format)
    }

    func actionsPage(_ query: QueryParameters, of player: Player.ID, for admin: AdminKey) async throws -> ListPage<
        SeenEntry
    > {
        try await entries(query, at: Routes.admin.playerActions.path(player, nil), for: admin) {
            before, rows, showsAnonymous in
            try await store.admin.actions(on: player, before: before, rows: rows, showsAnonymous: showsAnonymous)
        }
    }

    private func entries(
        _ query: QueryParameters, at path: String, for admin: AdminKey,
        read: (Int64?, Int32, Bool) async throws -> [LoggedEntry]
    ) async throws -> ListPage<SeenEntry> {
        let isPersonal = admin.scopes.allows(.personal)
        return try await replies.page(query, at: path) { page in
            try await read(page.after?.number, Int32(clamping: page.limitRows + 1), isPersonal).map { logged in
                SeenEntry(logged: logged, isMasked: logged.isAboutAnonymous && !isPersonal)
            }
        } cursor: {
            ($0.logged.entry.number, "")
        }
    }

    /// Drops what this process knows that the action has changed.
    private func forget(_ kind: ModerationKind, _ receipt: ModerationReceipt) {
        if let player = receipt.player { rankings.forgetSummary(of: player) }
        if case .erase(let player, _) = kind { rankings.forgetCallers(of: player) }
    }

    private func dryRun(_ request: Request) throws -> Bool {
        guard let word = try request.parameters()["dry"], !word.utf8.elementsEqual("false".utf8) else { return false }
        guard word.utf8.elementsEqual("true".utf8) else { throw Problem.badDryRun }
        return true
    }

    private static func members(_ receipt: ModerationReceipt) -> [JSONTree.Member] {
        let subject = receipt.subject.split(separator: ";").compactMap { pair -> JSONTree.Member? in
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let field = ModerationField.all.first(where: { $0.name == parts[0] }) else {
                return nil
            }
            guard field.kind == .player else { return JSONTree.Member(field.key, Value.text(parts[1])) }
            return Int64(parts[1]).map { JSONTree.Member(field.key, Value.integer(Int128($0))) }
        }
        return [
            .init("id", .text(receipt.id.text)), .init("do", .text(receipt.kind)), .init("on", .object(subject)),
            .init("at", .instant(receipt.at)), .init("by", .text(receipt.actor)), .init("before", tree(receipt.before)),
            .init("after", tree(receipt.after)),
            .init(
                "unfunded",
                .list(
                    receipt.funding.map { change in
                        .object([
                            .init("donation", .text(change.donation.text)),
                            .init("charity", .text(change.charity.description)),
                            .init("points", .integer(Int128(change.unfunded))),
                        ])
                    })),
        ]
    }

    private static func tree(_ sums: WalletSums) -> JSONTree {
        .object([
            .init("earned", .integer(Int128(sums.earned))), .init("voided", .integer(Int128(sums.voided))),
            .init("held", .integer(Int128(sums.held))), .init("left", .integer(Int128(sums.left))),
            .init("given", .integer(Int128(sums.donated))), .init("funded", .integer(Int128(sums.funded))),
            .init("unfunded", .integer(Int128(sums.unfunded))),
        ])
    }

    /// Who donated anonymously is personal: without that scope an entry about it does not say what it is about. Its
    /// `words` are left out too: their salt is all in its hash that nobody can guess, and with them a reader would only
    /// have to try all players.
    static let logList = AdminList<SeenEntry>(
        name: "log",
        columns: [
            Column("n", .integer), Column("at", .instant), Column("act", .text), Column("by", .text),
            Column("do", .text), Column("on", .text), Column("values", .text), Column("reason", .text),
            Column("name", .text), Column("words", .text), Column("hash", .text),
        ]
    ) { seen in
        let (logged, isMasked) = (seen.logged, seen.isMasked)
        let entry = logged.entry
        let values: [Value] = [
            .integer(Int128(entry.number)), .instant(entry.at), .text(ifAny: entry.action?.text), .text(entry.actor),
            .text(entry.kind), .text(ifAny: isMasked ? nil : entry.subject),
            .text(ifAny: isMasked ? nil : entry.values), .text(ifAny: isMasked ? nil : logged.words?.reason),
            .text(ifAny: isMasked ? nil : logged.words?.name),
            .text(ifAny: isMasked ? nil : entry.wordsHash.map { Hex.text($0) } ?? "-"), .text(Hex.text(logged.hash)),
        ]
        return values.map(JSONTree.value)
    }
}

/// An entry of the log as an operator sees it.
struct SeenEntry: Sendable {
    let logged: LoggedEntry
    /// Whether it would tell who donated anonymously, and so does not say what it is about.
    let isMasked: Bool
}
