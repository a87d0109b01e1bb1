import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

extension OwnDataHandlers {
    /// `GET /v1/players/me/export`: everything that is kept of the player. Its scores and donations may be hundreds of
    /// thousands, so they are read page by page while the client takes them. What comes meanwhile is at their end.
    func export(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let player = try await callers.verifiedDevice(token).player
        return try await rates.counting(BucketKey(player), in: .playerExports) {
            let slot = try exports.take(for: rates.countedAddress(of: request)?.largestBlock)
            let devices = try await store.devices(ofToken: token)
            guard !devices.isEmpty, let (kept, codes) = try await store.findExported(of: player, now: clock.now) else {
                throw Problem.unauthorized
            }
            let opening = beginning(kept, devices, codes)
            var response = replies.own(.ok, .object([]))
            if request.method == .head { return (response, counts: true) }
            response.events = DocumentStream(secondsMax: Limits.exportSecondsMax, slot: slot) { send in
                try await send(opening)
                try await self.send(
                    #","saves":["#, send, rowsOfPage: Limits.exportSavesOfPage, key: \.key, tree: Self.tree
                ) { key in
                    try await self.store.exportedSaves(of: player, after: key, limitRows: Limits.exportSavesOfPage)
                }
                try await self.send(#"],"scores":["#, send, key: \.score.historyKey, tree: Self.tree) { key in
                    try await self.store.exportedScores(
                        of: player, after: key, limitRows: Limits.exportPageRows, now: self.clock.now)
                }
                try await self.send(#"],"donations":["#, send, key: \.donation.historyKey, tree: Self.tree) { key in
                    try await self.store.exportedDonations(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"reports":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.reports(by: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"team_reports":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedTeamReports(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"ties":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedTies(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"plans":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedPlans(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"plan_runs":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedPlanRuns(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"challenges":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedChallenges(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"cohorts":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedCohorts(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await self.send(#"],"awards":["#, send, key: \.key, tree: Self.tree) { key in
                    try await self.store.exportedAwards(of: player, after: key, limitRows: Limits.exportPageRows)
                }
                try await send(Array("]}\n".utf8))
            }
            return (response, counts: true)
        }
    }

    /// Sends one list of the document, page by page.
    /// - Parameters:
    ///   - opening: What comes before its first row.
    ///   - rowsOfPage: A page with fewer rows is the last one.
    ///   - key: What the next page is asked for by.
    private func send<Row, Key>(
        _ opening: String, _ send: DocumentStream.Send, rowsOfPage: Int = Limits.exportPageRows, key: (Row) -> Key,
        tree: (Row) -> JSONTree, page: (Key?) async throws -> [Row]
    ) async throws {
        var bytes = Array(opening.utf8)
        var last: Key?
        var isFirst = true
        while true {
            try Task.checkCancellation()
            let rows = try await page(last)
            for row in rows {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                bytes += tree(row).bytes(links: replies.links)
            }
            try await send(bytes)
            bytes = []
            guard rows.count == rowsOfPage, let end = rows.last else { return }
            last = key(end)
        }
    }

    /// The document up to its lists of unknown length, without the brace that would end it.
    private func beginning(_ kept: ExportedPlayer, _ devices: [OwnDevice], _ codes: [UnusedCode]) -> [UInt8] {
        let updates: [JSONTree.Member] = [
            .init("wanted", .boolean(kept.own.wantsUpdates)), .init("since", .instant(ifAny: kept.updatesSince)),
            .init("source", .text(ifAny: kept.updatesSource)),
        ]
        let wallet: [JSONTree.Member] = [
            .init("earned", .integer(Int128(kept.own.earned))), .init("voided", .integer(Int128(kept.voided))),
            .init("held", .integer(Int128(kept.own.held))), .init("given", .integer(Int128(kept.own.donated))),
            .init("left", .integer(Int128(kept.own.balance))),
        ]
        let document = JSONTree.object([
            .init("exported_at", .instant(clock.now)), .init("id", .integer(Int128(kept.own.shown.id.rawValue))),
            .init("game", .text(kept.game)), .init("name", .text(kept.own.shown.name)),
            .init("registered_at", .instant(kept.registeredAt)), .init("country", .text(ifAny: kept.own.country)),
            .init("flag", .text(ifAny: kept.own.shown.flag?.description)),
            .init("flag_at", .instant(ifAny: kept.flagAt)), .init("email", .text(ifAny: kept.email)),
            .init("fb_uid", .text(ifAny: kept.facebookID)), .init("send_updates", .object(updates)),
            .init("unlisted", .boolean(kept.own.isUnlisted)), .init("asks", .boolean(kept.own.takesAsks)),
            .init("hidden", .boolean(kept.isHidden)),
            .init("image", kept.picture.map { .embeddedBase64(base64Encoded($0)) } ?? .none),
            .init("wallet", .object(wallet)), .init("devices", .list(devices.map { JSONTree($0.reply(secret)) })),
            .init("codes", .list(codes.map { JSONTree($0.reply) })),
            .init("identities", .list(kept.identities.map { JSONTree($0.reply) })),
            .init("teams", .list(kept.memberships.map { .object(Self.members($0)) })),
            .init("merged", .list(kept.members.map { .object(Self.members($0)) })),
        ])
        return document.bytes(links: replies.links).dropLast(2)
    }

    private static func members(_ kept: ExportedMember) -> [JSONTree.Member] {
        let updates: [JSONTree.Member] = [
            .init("wanted", .boolean(kept.wantsUpdates)), .init("since", .instant(ifAny: kept.updatesSince)),
            .init("source", .text(ifAny: kept.updatesSource)),
        ]
        return [
            .init("id", .integer(Int128(kept.player.rawValue))), .init("game", .text(kept.game)),
            .init("name", .text(kept.name)), .init("registered_at", .instant(kept.registeredAt)),
            .init("country", .text(ifAny: kept.country)), .init("flag", .text(ifAny: kept.flag?.description)),
            .init("flag_at", .instant(ifAny: kept.flagAt)), .init("email", .text(ifAny: kept.email)),
            .init("fb_uid", .text(ifAny: kept.facebookID)), .init("send_updates", .object(updates)),
            .init("image", kept.picture.map { .embeddedBase64(base64Encoded($0)) } ?? .none),
        ]
    }

    private static func members(_ kept: Membership) -> [JSONTree.Member] {
        [
            .init("team", .integer(Int128(kept.team.rawValue))), .init("name", .text(kept.name)),
            .init("role", .text(kept.isCaptain ? "captain" : "member")),
            .init("first_day", .text(kept.firstDay.isoDate)), .init("last_day", .text(ifAny: kept.lastDay?.isoDate)),
        ]
    }

    private static func tree(_ kept: ExportedSave) -> JSONTree {
        .object([
            .init("slot", .text(kept.key.slot.description)), .init("etag", .text(kept.save.etag.text)),
            .init("saved_at", .instant(kept.save.savedAt)),
            .init("body", .embeddedBase64(base64Encoded(kept.save.body))),
        ])
    }

    private static func tree(_ kept: ExportedScore) -> JSONTree {
        .object(
            tree(kept.score).members + [
                .init("name", .text(ifAny: kept.name)), .init("improved", .boolean(kept.improved)),
                .init("recorded_at", .instant(kept.recordedAt)),
            ])
    }

    private static func tree(_ kept: ExportedDonation) -> JSONTree {
        .object(tree(kept.donation).members + [.init("recorded_at", .instant(kept.recordedAt))])
    }

    private static func tree(_ kept: ExportedTie) -> JSONTree {
        .object([
            .init("player", .integer(Int128(kept.key.other.rawValue))), .init("says", .text(kept.says)),
            .init("at", .instant(kept.at)),
        ])
    }

    private static func tree(_ kept: ExportedChallenge) -> JSONTree {
        .object([
            .init("challenge", .text(kept.key.challenge.text)), .init("game", .text(kept.game.description)),
            .init("board", .text(kept.board.description)), .init("season", .integer(Int128(kept.season))),
            .init("own", .boolean(kept.isOwn)), .init("first_day", .text(kept.firstDay.isoDate)),
            .init("last_day", .text(kept.lastDay.isoDate)), .init("stake", .integer(Int128(kept.stake))),
            .init("made_at", .instant(kept.madeAt)), .init("answer", .text(kept.answer.rawValue)),
            .init("answered_at", .instant(kept.answeredAt)), .init("charity", .text(ifAny: kept.charity?.description)),
            .init("won", .boolean(kept.hasWon)), .init("gave", kept.gave.map { .integer(Int128($0)) } ?? .none),
        ])
    }

    private static func tree(_ kept: ExportedCohort) -> JSONTree {
        .object([
            .init("campaign", .text(kept.key.campaign.description)), .init("cohort", .integer(Int128(kept.cohort))),
            .init("of", .integer(Int128(kept.of))), .init("entered_at", .instant(kept.enteredAt)),
        ])
    }

    private static func tree(_ kept: ExportedAward) -> JSONTree { JSONTree(kept.award.reply) }

    private static func tree(_ kept: ExportedTeamReport) -> JSONTree {
        .object([
            .init("team", .integer(Int128(kept.key.team.rawValue))), .init("reported_at", .instant(kept.reportedAt)),
        ])
    }

    private static func tree(_ kept: ExportedPlan) -> JSONTree {
        .object([
            .init("version", .integer(Int128(kept.key.version))),
            .init(
                "shares",
                .list(
                    kept.terms.shares.map { share in
                        .object([
                            .init("charity", .text(share.charity.description)),
                            .init("share", .integer(Int128(share.share))),
                        ])
                    })), .init("every", .text(kept.terms.interval.rawValue)),
            .init("keep", .integer(Int128(kept.terms.keep))), .init("anonymous", .boolean(kept.terms.isAnonymous)),
            .init("since", .instant(kept.since)), .init("until", .instant(ifAny: kept.until)),
            .init("next_on", .text(kept.nextOn.isoDate)),
        ])
    }

    private static func tree(_ kept: ExportedRun) -> JSONTree {
        let lines = zip(kept.run.lines, kept.owed).map { line, owed in
            JSONTree.object([
                .init("charity", .text(line.charity.description)), .init("points", .integer(Int128(line.points))),
                .init("id", .text(line.id.text)), .init("skipped", .text(ifAny: line.skip?.rawValue)),
                .init("owed", .integer(Int128(owed))),
            ])
        }
        return .object([
            .init("version", .integer(Int128(kept.key.version))), .init("on", .text(kept.run.day.isoDate)),
            .init("lines", .list(lines)), .init("decided_at", .instant(kept.decidedAt)),
            .init("done_at", .instant(ifAny: kept.doneAt)),
        ])
    }

    private static func tree(_ kept: ExportedReport) -> JSONTree {
        .object([
            .init("player", kept.isShown ? Value.integer(Int128(kept.key.player.rawValue)) : .none),
            .init("why", .text(kept.why)), .init("text", .text(ifAny: kept.words)),
            .init("reported_at", .instant(kept.key.reportedAt)),
        ])
    }
}

extension PastScore { fileprivate var historyKey: HistoryKey { HistoryKey(reachedAt: reachedAt, id: id) } }

extension PastDonation { fileprivate var historyKey: HistoryKey { HistoryKey(reachedAt: reachedAt, id: id) } }
