import Domain
import Feeds
import FoundationEssentials
import HTTPTypes
import Leaderboard
import Storage

// What operators put right, and the log of it.
extension Responder {
    /// `PUT /v1/admin/acts/{id}`; with `?dry=true` it is only tried.
    func act(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await admin(request, .moderate)
        let isDry = try dryRun(request)
        let uuid = try id.uuid()
        let fields = try DeedFields(try request.fields(DeedFields.known))
        let act = Act(try fields.deed(), id: uuid, reason: try fields.reason())
        // Who may not know who gave anonymously cannot find it out by trying.
        if !admin.scopes.allows(.personal), try await store.tellsOfAnonymity(act.deed) {
            if case .undo = act.deed { throw Problem.noAct }
            throw Problem.noDonationOfPlayer
        }
        switch try await writeBatcher.perform(act, by: admin.id.text, isDry: isDry) {
        case .done(let receipt):
            rankings.forgetSummary(of: receipt.player)
            if isDry { return ownReply(.ok, .object(Self.members(receipt, for: admin))) }
            return written(.object(Self.members(receipt, for: admin)), at: Routes.act.path(id), isReplay: false)
        case .repeated(let receipt):
            rankings.forgetSummary(of: receipt.player)
            return written(.object(Self.members(receipt, for: admin)), at: Routes.act.path(id), isReplay: true)
        case .idReused: throw Problem.idReused
        case .noPlayer: throw Problem.noPlayer
        case .noScore: throw Problem.noScoreOfPlayer
        case .noDonation: throw Problem.noDonationOfPlayer
        case .noAct: throw Problem.noAct
        case .noPicture: throw Problem.noPictureOfPlayer
        case .conflict(let other): throw Problem.actConflict(other)
        case .outOfBounds(let bounds): throw Problem.outOfBounds(bounds)
        case .walletFull: throw Problem.walletFull
        }
    }

    /// `GET /v1/admin/acts/{id}`
    func pastAct(_ request: Request, _ id: ClientID) async throws -> Response {
        let admin = try await admin(request, .read)
        guard let found = try await store.findAct(try id.uuid()) else { throw Problem.noAct }
        if found.isAboutAnonymous, !admin.scopes.allows(.personal) { throw Problem.missing(.personal) }
        return ownReply(
            .ok,
            .object(
                Self.members(found.receipt, for: admin) + [
                    .init("reason", .text(ifAny: found.reason)), .init("undone_by", .text(ifAny: found.undoneBy?.text)),
                ]
            )
        )
    }

    /// `GET /v1/admin/log`
    func log(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await entries(request, at: Routes.log.path(nil), format) { before, rows, _ in
            try await store.log(before: before, rows: rows)
        }
    }

    /// `GET /v1/admin/players/{player}/acts`
    func playerActs(_ request: Request, of player: Player.ID, _ format: ListFormat?) async throws -> Response {
        try await entries(request, at: Routes.playerActs.path(player, nil), format) { before, rows, showsAnonymous in
            try await store.acts(on: player, before: before, rows: rows, showsAnonymous: showsAnonymous)
        }
    }

    private func entries(
        _ request: Request,
        at path: String,
        _ format: ListFormat?,
        read: (Int64?, Int32, Bool) async throws -> [LoggedEntry]
    ) async throws -> Response {
        let admin = try await admin(request, .read)
        let query = try request.parameters()
        let page = try AdminPage(query, of: path, secret)
        let isPersonal = admin.scopes.allows(.personal)
        let rows = try await read(page.after?.number, Int32(clamping: page.limitRows + 1), isPersonal).map { logged in
            (logged, isMasked: logged.isAboutAnonymous && !isPersonal)
        }
        return reply(Self.logList, rows, page, at: path, as: format, query) { ($0.0.entry.number, "") }
    }

    private func dryRun(_ request: Request) throws -> Bool {
        switch try request.parameters()["dry"] {
        case nil, "false": return false
        case "true": return true
        default: throw Problem.badDryRun
        }
    }

    /// Who gave anonymously is personal: the donations of such a player are not named to everybody.
    private static func members(_ receipt: ActReceipt, for key: AdminKey) -> [JSONTree.Member] {
        let funding = receipt.funding.filter { !$0.isAnonymous || key.scopes.allows(.personal) }
        let subject = receipt.subject.split(separator: ";").compactMap { pair -> JSONTree.Member? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "player": return Int64(parts[1]).map { .init("player", .integer(Int128($0))) }
            case "score": return .init("score", .text(String(parts[1])))
            case "donation": return .init("donation", .text(String(parts[1])))
            case "act": return .init("act", .text(String(parts[1])))
            default: return nil
            }
        }
        return [
            .init("id", .text(receipt.id.text)), .init("do", .text(receipt.deed)), .init("on", .object(subject)),
            .init("at", .instant(receipt.at)), .init("by", .text(receipt.actor)),
            .init("before", tree(receipt.before)), .init("after", tree(receipt.after)),
            .init(
                "unfunded",
                .list(
                    funding.map { change in
                        .object([
                            .init("donation", .text(change.donation.text)),
                            .init("charity", .text(change.charity.description)),
                            .init("points", .integer(Int128(change.unfunded))),
                        ])
                    }
                )
            ),
        ]
    }

    private static func tree(_ sums: WalletSums) -> JSONTree {
        .object([
            .init("earned", .integer(Int128(sums.earned))), .init("voided", .integer(Int128(sums.voided))),
            .init("held", .integer(Int128(sums.held))), .init("left", .integer(Int128(sums.left))),
            .init("given", .integer(Int128(sums.given))), .init("funded", .integer(Int128(sums.funded))),
            .init("unfunded", .integer(Int128(sums.unfunded))),
        ])
    }

    /// Who gave anonymously is personal: without that scope an entry about it does not say what it is about.
    private static let logList = AdminList<(LoggedEntry, isMasked: Bool)>(
        name: "log",
        columns: [
            Column("n", .integer), Column("at", .instant), Column("act", .text), Column("by", .text),
            Column("do", .text), Column("on", .text), Column("numbers", .text), Column("reason", .text),
            Column("name", .text), Column("words", .text), Column("hash", .text),
        ]
    ) { logged, isMasked in
        let entry = logged.entry
        let values: [Value] = [
            .integer(Int128(entry.number)), .instant(entry.at), .text(ifAny: entry.act?.text), .text(entry.actor),
            .text(entry.deed), .text(ifAny: isMasked ? nil : entry.subject),
            .text(ifAny: isMasked ? nil : entry.numbers), .text(ifAny: isMasked ? nil : logged.words?.reason),
            .text(ifAny: logged.words?.name), .text(entry.wordsHash.map { Hex.text($0) } ?? "-"),
            .text(Hex.text(logged.hash)),
        ]
        return values.map(JSONTree.value)
    }
}
