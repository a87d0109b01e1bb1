import enum Contract.Keys
import enum Contract.Reply
import struct Contract.Timestamp
import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// A player's plan: which charities the server donates the player's points to, and when.
final class PlanHandlers: RouteHandlers {
    let store: Store
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies

    init(store: Store, clock: ServerClock, callers: Callers, rates: RequestRates, replies: Replies) {
        (self.store, self.clock, self.callers, self.rates, self.replies) = (store, clock, callers, rates, replies)
    }

    static func of(_ handlers: Handlers) -> PlanHandlers { handlers.plans }

    /// `GET /v1/players/me/plan?points=`
    func myPlan(_ request: Request) async throws -> Response {
        let points = try request.parameters()["points"].map { text throws(Problem) in
            guard let points = try? Points.whole(text, field: "points"), (1...Limits.walletPointsMax).contains(points)
            else { throw Problem.planPoints }
            return points
        }
        let player = try await callers.callingPlayer(request, in: nil)
        guard let (plan, last) = try await store.findPlan(of: player) else { throw Problem.noPlan }
        var preview: Reply.PlanPreview?
        if let points {
            guard let found = try await store.previewPlan(of: player, points: points, now: clock.now) else {
                throw Problem.noPlan
            }
            preview = found.reply(points)
        }
        return answer(.ok, plan, last: last, preview: preview)
    }

    /// `PUT /v1/players/me/plan`
    func putPlan(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        let terms = try PlanTerms(request.fields(Keys.PlanTerms.names))
        let expected = try Precondition.expectedVersion(request.headers, orThrow: .noExpectationOfPlan)
        return try await rates.counting(rates.spender(device), in: .playerPlans) {
            switch try await store.put(terms, for: token, expected: expected, now: clock.now) {
            case .stored(let version, let isNew):
                let last = try await store.findPlan(of: device.player)?.last
                return (answer(isNew ? .created : .ok, Plan(terms, version), last: last), counts: true)
            case .known(let version):
                let last = try await store.findPlan(of: device.player)?.last
                var response = answer(.ok, Plan(terms, version), last: last)
                response.headers[.idempotentReplayed] = "true"
                return (response, counts: false)
            case .stale(let current): throw Problem.stalePlan(current.map(Precondition.etag))
            case .noCharity: throw FieldError.planCharity
            case .charityClosed: throw FieldError.planCharityClosed
            case .off: throw Problem.noPlans
            case .banned: throw Problem.banned
            case nil: throw Problem.unauthorized
            }
        }
    }

    /// `DELETE /v1/players/me/plan`. A player may end its plan, whatever the game allows now.
    func endPlan(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.callingDevice(token)
        let expected = try Precondition.version(request.headers)
        return try await rates.counting(rates.spender(device), in: .playerPlans) {
            switch try await store.endPlan(of: token, expected: expected, now: clock.now) {
            case .ended:
                return (Response(status: .noContent, headers: [.cacheControl: "private, no-store"]), counts: true)
            case .noPlan: throw Problem.noPlan
            case .stale(let current): throw Problem.stalePlan(current.map(Precondition.etag))
            case nil: throw Problem.unauthorized
            }
        }
    }

    private func answer(
        _ status: HTTPResponse.Status, _ plan: Plan, last: FinishedRun?, preview: Reply.PlanPreview? = nil
    ) -> Response {
        var response = replies.own(status, plan.reply(last: last, preview: preview))
        response.headers[.eTag] = Precondition.etag(plan.etag)
        return response
    }
}

extension PlanTerms {
    /// Reads the body of a request.
    fileprivate init(_ fields: Fields) throws {
        let name = Keys.PlanTerms.shares.rawValue
        guard let lines = try fields.objects(name, countMax: Limits.planLinesMax) else { throw FieldError.planShares }
        let shares = try lines.map { line throws(FieldError) in
            guard line.hasOnly(Keys.PlanShare.names),
                let slug = (try? line.text(Keys.PlanShare.charity.rawValue)).flatMap({ Slug($0) }),
                let number = try? line.integer(Keys.PlanShare.share.rawValue), let share = Int32(exactly: number),
                Limits.planShares.contains(share)
            else { throw FieldError.planShares }
            return PlanShare(charity: slug, share: share)
        }
        guard let every = try fields.text(Keys.PlanTerms.every.rawValue).flatMap(PlanInterval.init) else {
            throw FieldError.planInterval
        }
        let keep = try fields.integer(Keys.PlanTerms.keep.rawValue) ?? 0
        guard (0...Limits.walletPointsMax).contains(keep) else { throw FieldError.planKeep }
        try self.init(
            shares: shares, field: name, interval: every, keep: keep,
            isAnonymous: fields.boolean(Keys.PlanTerms.anonymous.rawValue) ?? false)
    }
}

extension Plan {
    func reply(last: FinishedRun? = nil, preview: Reply.PlanPreview? = nil) -> Reply.OwnPlan {
        Reply.OwnPlan(
            shares: terms.shares.map { Reply.PlanShare(charity: $0.charity.description, share: Int($0.share)) },
            every: Reply.PlanInterval(terms.interval), keep: terms.keep, anonymous: terms.isAnonymous,
            since: Timestamp(since), nextOn: nextOn.isoDate, last: last?.reply, preview: preview)
    }

    fileprivate init(_ terms: PlanTerms, _ version: PlanVersion) {
        self.init(terms: terms, etag: version.etag, since: version.since, nextOn: version.nextOn)
    }
}

extension Reply.PlanInterval {
    fileprivate init(_ interval: PlanInterval) {
        self =
            switch interval {
            case .day: .day
            case .week: .week
            case .month: .month
            }
    }
}

extension FinishedRun {
    var reply: Reply.PlanRun {
        let gifts = lines.filter { $0.points > 0 }.map { line in
            Reply.PlanDonation(charity: line.charity.description, points: line.points, id: line.id.text)
        }
        return Reply.PlanRun(on: day.isoDate, gifts: gifts, skipped: skippedShares(lines.map { ($0.charity, $0.skip) }))
    }
}

extension PlanPreview {
    fileprivate func reply(_ points: Int64) -> Reply.PlanPreview {
        let gifts = zip(charities, split.points).filter { $1 > 0 }.map { charity, points in
            Reply.PlanPart(charity: charity.description, points: points)
        }
        return Reply.PlanPreview(
            points: points, gifts: gifts, skipped: skippedShares(Array(zip(charities, split.skipped))))
    }
}

/// Nil when none was left out.
private func skippedShares(_ lines: [(charity: Slug, skip: PlanSkip?)]) -> [Reply.SkippedShare]? {
    let skipped = lines.compactMap { line in
        line.skip.map { Reply.SkippedShare(charity: line.charity.description, why: $0.rawValue) }
    }
    return skipped.isEmpty ? nil : skipped
}

// The sentences about plans.
extension Problem {
    static let noPlan = Problem(.notFound, "You have no plan. PUT one to have points donated for you.")
    static let noPlans = Problem(.forbidden, "Players of this game have no plans. Its operator can allow them.")
    static let noExpectationOfPlan = Problem(
        .precondition,
        "Say which plan you have seen, so that nothing is lost that another device has changed: send If-Match with the "
            + "one ETag of your plan, or If-None-Match: * when you have none.")
    static let planPoints = Problem(
        .malformed, "points is how many points the plan would split. Send 1 to \(Limits.walletPointsMax).",
        field: "points")

    static func stalePlan(_ etag: String?) -> Problem {
        Problem(
            stale: etag,
            etag == nil
                ? "You have no plan. Send If-None-Match: * to make one."
                : "Your plan is another one than you have seen. GET it, and send your change with its ETag.")
    }
}

extension FieldError {
    static let planShares = FieldError(
        Keys.PlanTerms.shares.rawValue,
        "shares is a list of 1 to \(Limits.planLinesMax) objects in JSON, each with charity, the slug of a charity, and "
            + "share, \(Limits.planShares.lowerBound) to \(Limits.planShares.upperBound).")
    static let planInterval = FieldError(
        Keys.PlanTerms.every.rawValue,
        "every says how often the plan donates. Send one of "
            + "\(PlanInterval.allCases.map(\.rawValue).joined(separator: ", ")).")
    static let planKeep = FieldError(
        Keys.PlanTerms.keep.rawValue, "keep is the number of points that stay with you: 0 to \(Limits.walletPointsMax)."
    )
    static let planCharity = FieldError(
        Keys.PlanTerms.shares.rawValue, "shares names a charity that is not there. Take slugs from /v1/charities.")
    static let planCharityClosed = FieldError(
        Keys.PlanTerms.shares.rawValue, "shares names a charity that takes no more donations. Leave it out.")
}
