import Domain
import Feeds
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Charities, and what was donated to them, as operators see and change them.
extension AdminSettingHandlers {
    /// `GET /v1/admin/charities`
    func adminCharities(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await charitiesPage(request.parameters())
        return replies.list(Self.charityList, page, at: Routes.admin.charities.path(nil), as: format)
    }

    func charitiesPage(_ query: QueryParameters) async throws -> ListPage<CharityListing> {
        try await slugPage(query, at: Routes.admin.charities.path(nil), \.slug) {
            try await store.admin.charityListings()
        }
    }

    /// `GET /v1/admin/charities/{charity}`
    func adminCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        try await operators.admin(request, .read, .charity(slug))
        guard let charity = try await store.admin.findCharityListing(slug) else { throw Problem.noCharity }
        return replies.versioned(Self.charityList.object(charity), version: charity.version)
    }

    /// `PUT /v1/admin/charities/{charity}`
    func addCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try Precondition.creates(request.headers)
        let charity = try await addCharity(slug, request.fields(CharityChange.settings.names), by: admin)
        return replies.versioned(
            Self.charityList.object(charity), version: charity.version, .created, at: Routes.admin.charity.path(slug))
    }

    func addCharity(_ slug: Slug, _ fields: Fields, by admin: AdminKey) async throws -> CharityListing {
        let change = try CharityChange(by: fields).checked()
        let outcome = try await store.admin.addCharity(slug, change, by: admin.id.text, now: clock.now)
        let charity = try await store.admin.findCharityListing(slug)
        try outcome.check(charity.map { Precondition.etag($0.version) })
        guard let charity else { throw Problem.noCharity }
        return charity
    }

    /// `PATCH /v1/admin/charities/{charity}`
    func changeCharity(_ request: Request, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let fields = try request.fields(CharityChange.settings.names)
        let charity = try await changeCharity(slug, fields, at: version, by: admin)
        return replies.versioned(Self.charityList.object(charity), version: charity.version)
    }

    func changeCharity(_ slug: Slug, _ fields: Fields, at version: String, by admin: AdminKey) async throws
        -> CharityListing
    {
        for name in CharityChange.settings.filter(\.isFixed).names where fields.presence(of: name) != .absent {
            throw FieldError(name, "\(name) is fixed once the charity is added. Leave it out.")
        }
        let change = try CharityChange(by: fields).checked()
        let (outcome, charity) = try await store.admin.setCharity(
            slug, change, at: version, by: admin.id.text, now: clock.now)
        try outcome.check(charity.map { Precondition.etag($0.version) })
        guard let charity else { throw Problem.noCharity }
        return charity
    }

    /// `GET /v1/admin/charities/{charity}/donations`
    func adminCharityDonations(_ request: Request, to slug: Slug, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read, .charity(slug))
        let page = try await donationsPage(request.parameters(), to: slug)
        return replies.list(Self.donationList, page, at: Routes.admin.charityDonations.path(slug, nil), as: format)
    }

    func donationsPage(_ query: QueryParameters, to slug: Slug) async throws -> ListPage<CharityDonation> {
        try await replies.page(query, at: Routes.admin.charityDonations.path(slug, nil)) { page in
            let before = try page.donationKey()
            guard try await store.admin.findCharityListing(slug) != nil else { throw Problem.noCharity }
            return try await store.admin.donations(toCharity: slug, before: before, limitRows: page.limitRows + 1)
        } cursor: { donation in
            let at = donation.shownAt.microsecondsSince1970
            return switch donation.row {
            case .named(let id): (at, id.text)
            case .anonymous(let row): (at, String(row))
            }
        }
    }

    static let charityList = AdminList<CharityListing>(
        name: "charities", columns: [Column("slug", .text)] + CharityChange.settings.columns()
    ) { charity in [.value(.text(charity.slug))] + CharityChange.settings.cells(of: charity.settings) }

    static let donationList = AdminList<CharityDonation>(
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

extension AdminPage {
    /// The donation at which the page before ended; nil for the first page.
    /// - Throws: 400 for a cursor that no such list has made.
    fileprivate func donationKey() throws(Problem) -> CharityDonation.Key? {
        guard let after else { return nil }
        let at = Instant(microsecondsSince1970: after.number)
        if let row = Int64(after.text) { return CharityDonation.Key(at: at, row: .anonymous(row)) }
        guard let id = UUID(text: after.text) else { throw Problem.badCursor("after") }
        return CharityDonation.Key(at: at, row: .named(id))
    }
}
