import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// The awards of a game.
extension AdminSettingHandlers {
    /// `GET /v1/admin/games/{game}/awards`
    func adminAwards(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await awardsPage(request.parameters(), of: game)
        return replies.list(Self.awardList, page, at: Routes.admin.awards.path(game, nil), as: format)
    }

    func awardsPage(_ query: QueryParameters, of game: Slug) async throws -> ListPage<AwardListing> {
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return try await slugPage(query, at: Routes.admin.awards.path(game, nil), \.slug.description) {
            try await store.awards(of: game)
        }
    }

    /// `GET /v1/admin/games/{game}/awards/{award}`
    func adminAward(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        try await operators.admin(request, .read)
        let award = try await award(slug, in: game)
        return replies.versioned(Self.awardList.object(award), version: award.version)
    }

    /// `PUT /v1/admin/games/{game}/awards/{award}`
    func addAward(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try Precondition.creates(request.headers)
        let award = try await addAward(slug, in: game, request.fields(Self.awardFields), by: admin)
        return replies.versioned(
            Self.awardList.object(award), version: award.version, .created, at: Routes.admin.award.path(game, slug))
    }

    static let awardFields: Set<String> = [
        "name", "text", "rule", "at_least", "board", "season", "contest", "window", "secret",
    ]

    func addAward(_ slug: Slug, in game: Slug, _ fields: Fields, by admin: AdminKey) async throws -> AwardListing {
        let change = try AwardChange(by: fields, before: nil)
        let rule = try change.rule ?? AwardRule(AwardRule.Fields(changing: nil, to: nil))
        let name = try change.name ?? DisplayName.standard(for: slug)
        let award = Award(name: name, text: change.text.value, rule: rule, isSecret: change.isSecret ?? false)
        let outcome = try await store.admin.addAward(slug, award, in: game, by: admin.id.text, now: clock.now)
        let listing = try await store.findAward(slug, in: game)
        try outcome.check(listing.map { Precondition.etag($0.version) })
        guard let listing else { throw Problem.noAward }
        return listing
    }

    /// `PATCH /v1/admin/games/{game}/awards/{award}`
    func changeAward(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let fields = try request.fields(Self.awardFields)
        let award = try await changeAward(slug, in: game, fields, at: version, by: admin)
        return replies.versioned(Self.awardList.object(award), version: award.version)
    }

    func changeAward(_ slug: Slug, in game: Slug, _ fields: Fields, at version: String, by admin: AdminKey) async throws
        -> AwardListing
    {
        let before = try await award(slug, in: game).award
        let change = try AwardChange(by: fields, before: before.rule)
        let (outcome, award) = try await store.admin.setAward(
            slug, in: game, change, at: version, by: admin.id.text, now: clock.now)
        try outcome.check(award.map { Precondition.etag($0.version) })
        guard let award else { throw Problem.noAward }
        return award
    }

    func award(_ slug: Slug, in game: Slug) async throws -> AwardListing {
        guard let award = try await store.findAward(slug, in: game) else { throw Problem.noAward }
        return award
    }

    static let awardList = AdminList<AwardListing>(
        name: "awards",
        columns: [
            Column("slug", .text), Column("name", .text), Column("text", .text), Column("rule", .text),
            Column("at_least", .integer), Column("board", .text), Column("season", .integer), Column("contest", .text),
            Column("window", .text), Column("secret", .boolean), Column("given_to", .integer),
        ]
    ) { listing in
        let fields = listing.award.rule.fields
        return [
            .value(.text(listing.slug.description)), .value(.text(listing.award.name.description)),
            .value(.text(ifAny: listing.award.text?.description)), .value(.text(fields.kind.rawValue)),
            .value(fields.atLeast.map { .integer(Int128($0)) } ?? .none),
            .value(.text(ifAny: fields.board?.description)),
            .value(fields.season.map { .integer(Int128($0)) } ?? .none),
            .value(.text(ifAny: fields.contest?.description)), .value(.text(ifAny: fields.window?.rawValue)),
            .value(.boolean(listing.award.isSecret)), .value(.integer(Int128(listing.givenCount))),
        ]
    }
}

extension AwardChange {
    /// Reads a change of an award.
    /// - Parameter before: The condition that the change is of; nil for a new award.
    fileprivate init(by fields: Fields, before: AwardRule?) throws {
        self.init()
        if let text = try fields.text("name") {
            guard let name = DisplayName(text) else { throw FieldError("name", "name is not \(DisplayName.rule).") }
            self.name = name
        }
        switch fields.presence(of: "text") {
        case .absent: break
        case .null: text = .clear
        case .value: text = .set(try AwardText(try fields.text("text") ?? ""))
        }
        isSecret = try fields.boolean("secret")
        let condition = ["rule", "at_least", "board", "season", "contest", "window"]
        guard condition.contains(where: { fields.presence(of: $0) != .absent }) else { return }
        var rule = try AwardRule.Fields(changing: before, to: fields.choice("rule", AwardRule.Kind.self))
        if fields.presence(of: "at_least") != .absent { rule.atLeast = try fields.integer("at_least") }
        if fields.presence(of: "board") != .absent {
            rule.board = try Self.slug(fields, "board", "board is no slug. Send the one in the board's address.")
        }
        if fields.presence(of: "contest") != .absent {
            let refusal = "contest is no slug. Send the one in the campaign's address."
            rule.contest = try Self.slug(fields, "contest", refusal)
        }
        if fields.presence(of: "season") != .absent {
            rule.season = try fields.integer("season").map { number in
                guard let season = Int32(exactly: number) else {
                    throw FieldError("season", "season is the number of a season, from 1 on.")
                }
                return season
            }
        }
        if fields.presence(of: "window") != .absent { rule.window = try fields.choice("window", AwardWindow.self) }
        self.rule = try AwardRule(rule)
    }

    private static func slug(_ fields: Fields, _ name: String, _ refusal: String) throws -> Slug? {
        try fields.text(name).map { text in
            guard text.utf8.count <= 64, let slug = Slug(text) else { throw FieldError(name, refusal) }
            return slug
        }
    }
}
