import Domain
import Feeds
import FoundationEssentials
import HTTPTypes
import Leaderboard
import Storage

// Charities, and what was given to them, as operators see and change them.
extension Responder {
    /// `GET /v1/admin/charities`
    func adminCharities(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await admin(request, .read)
        return try await listed(request, at: Routes.adminCharities.path(nil), format, Self.charityList, \.slug) {
            try await store.charityListings()
        }
    }

    /// `GET /v1/admin/charities/{charity}`
    func adminCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        try await admin(request, .read, .charity(slug))
        guard let charity = try await store.findCharityListing(slug) else { throw Problem.noCharity }
        return reply(Self.charityList.object(charity), version: charity.version)
    }

    /// `PUT /v1/admin/charities/{charity}`
    func addCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        try await admin(request, .operate)
        try Precondition.creates(request.headers)
        let settings = SettingFields(fields: try request.fields(SettingFields.ofCharities))
        let outcome = try await store.addCharity(
            slug,
            try CharityChange(settings).checked(),
            zone: try settings.zone() ?? "UTC",
            now: clock.now
        )
        let charity = try await store.findCharityListing(slug)
        try outcome.check(charity.map { Precondition.etag($0.version) })
        guard let charity else { throw Problem.noCharity }
        return reply(
            Self.charityList.object(charity),
            version: charity.version,
            .created,
            at: Routes.adminCharity.path(slug)
        )
    }

    /// `PATCH /v1/admin/charities/{charity}`
    func changeCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        try await admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let settings = SettingFields(fields: try request.fields(SettingFields.ofCharities))
        guard settings.fields.presence(of: "zone") == .absent else {
            throw FieldError("zone", "zone is fixed once the charity is added. Leave it out.")
        }
        let (outcome, charity) = try await store.setCharity(slug, CharityChange(settings).checked(), at: version)
        try outcome.check(charity.map { Precondition.etag($0.version) })
        guard let charity else { throw Problem.noCharity }
        return reply(Self.charityList.object(charity), version: charity.version)
    }

    /// `GET /v1/admin/charities/{charity}/donations`
    func adminCharityDonations(_ request: Request, to slug: Slug, _ format: ListFormat?) async throws -> Response {
        try await admin(request, .read, .charity(slug))
        let path = Routes.adminCharityDonations.path(slug, nil)
        let query = try request.parameters()
        let page = try AdminPage(query, of: path, secret)
        let before = try page.historyKey()
        guard try await store.findCharityListing(slug) != nil else { throw Problem.noCharity }
        let rows = try await store.donations(toCharity: slug, before: before, limitRows: page.limitRows + 1)
        return reply(Self.donationList, rows, page, at: path, as: format, query) { donation in
            (donation.reachedAt.microsecondsSince1970, donation.id.text)
        }
    }

    private static let charityList = AdminList<CharityListing>(
        name: "charities",
        columns: [
            Column("slug", .text), Column("name", .text), Column("url", .link), Column("description", .text),
            Column("goal", .integer), Column("opens", .instant), Column("closes", .instant), Column("zone", .text),
        ]
    ) { charity in
        let values: [Value] = [
            .text(charity.slug), .text(charity.name), .text(ifAny: charity.url), .text(ifAny: charity.description),
            charity.goal.map { .integer(Int128($0)) } ?? .none, .instant(ifAny: charity.opensAt),
            .instant(ifAny: charity.closesAt), .text(charity.zone),
        ]
        return values.map(JSONTree.value)
    }

    private static let donationList = AdminList<CharityDonation>(
        name: "donations",
        columns: [
            Column("recorded_at", .instant), Column("id", .text), Column("points", .integer), Column("state", .text),
            Column("anonymous", .boolean), Column("player", .integer), Column("game", .text),
        ]
    ) { donation in
        let values: [Value] = [
            .instant(donation.recordedAt), .text(donation.id.text), .integer(Int128(donation.points)),
            .text(donation.state), .boolean(donation.isAnonymous),
            donation.player.map { .integer(Int128($0.rawValue)) } ?? .none, .text(ifAny: donation.game),
        ]
        return values.map(JSONTree.value)
    }
}

extension AdminPage {
    /// The row of a history at which the page before ended; nil for the first page.
    /// - Throws: 400 for a cursor that no such list has made.
    func historyKey() throws(Problem) -> HistoryKey? {
        guard let after else { return nil }
        guard let id = UUID(text: after.text) else { throw Problem.badCursor("after") }
        return HistoryKey(reachedAt: Instant(microsecondsSince1970: after.number), id: id)
    }
}

extension CharityChange {
    fileprivate init(_ settings: SettingFields) throws(FieldError) {
        self.init()
        name = try settings.name()
        url = try settings.patch("url", "a text") { $0 }
        description = try settings.patch("description", "a text") { $0 }
        goal = try settings.integerPatch("goal")
        opensAt = try settings.instantPatch("opens")
        closesAt = try settings.instantPatch("closes")
    }
}
