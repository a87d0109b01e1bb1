import Concurrency
import enum Contract.ProblemName
package import Credentials
import Domain
package import Feeds
package import HTTPServer
import HTTPTypes
package import Leaderboard
package import Logging
import NIOCore
import Outgoing
package import SignIn
package import Storage
import Telemetry
import Tracing

/// Answers every request: finds the route of the path, calls its handler, and turns errors into problems.
package final class Responder: RequestResponder {
    let operations: Operations
    let clock: ServerClock
    let feeds: FeedServer
    let pages: PageServer
    let rates: RequestRates
    let admissions: Admissions
    let callers: Callers
    let sessions: ConsoleSessions
    let handlers: Handlers
    /// The open event streams. It has to run for them to go on.
    package let live: LiveHub
    /// The keys of sign-in providers. It fetches them only while its `run()` runs.
    package let issuers: IssuerKeys
    /// The audits that operators ask for. It has to run for them to be made.
    package let audits: AuditRuns
    /// Nil serves every route without encryption too.
    let httpsOnly: HTTPSOnly?
    /// Whether the listeners of clients serve the admin API too.
    let isAdminPublic: Bool
    private let log: RateLimitedLog

    package init(
        store: Store, writeBatcher: WriteBatcher, rankings: Rankings, operations: Operations, secret: Secret,
        clock: ServerClock, links: FeedLinks, proxies: TrustedProxies = TrustedProxies(), rates limiter: RateLimiter,
        httpsOnly: HTTPSOnly? = nil, isAdminPublic: Bool = false, play: PlayAvailability = .always,
        audits: AuditRuns? = nil, issuers: IssuerKeys? = nil, logger: Logger
    ) {
        self.operations = operations
        self.clock = clock
        self.httpsOnly = httpsOnly
        self.isAdminPublic = isAdminPublic
        log = RateLimitedLog(logger)
        self.issuers = issuers ?? IssuerKeys(logger: logger, fetch: OutgoingClient().get)
        self.audits = audits ?? AuditRuns(Auditor(store), clock: clock)
        feeds = FeedServer(FeedCache(rankings, metrics: operations.metrics), links: links, secret: secret)
        live = LiveHub(feeds.cache) { tokens in
            try await store.ownVersions(of: tokens, now: clock.now, timedBy: Limits.liveSettlingSeconds)
        }
        pages = PageServer(feeds: feeds, rankings: rankings)
        callers = Callers(store: store, rankings: rankings, secret: secret, clock: clock)
        rates = RequestRates(
            limiter: limiter, proxies: proxies, rankings: rankings, store: store, clock: clock,
            reserve: operations.reserve)
        let operators = OperatorKeys(store: store, clock: clock)
        sessions = ConsoleSessions(secret: secret, clock: clock, operators: operators, rates: rates)
        admissions = Admissions(rates: rates, operators: operators, sessions: sessions, store: store, clock: clock)
        handlers = Handlers(
            store: store, writeBatcher: writeBatcher, rankings: rankings, operations: operations, secret: secret,
            clock: clock, feeds: feeds, live: live, audits: self.audits, play: play, callers: callers,
            identities: IdentityReader(
                store: store, secret: secret, clock: clock,
                verifier: IdentityVerifier(keys: self.issuers, metrics: operations.metrics), rates: rates, log: log),
            issuers: self.issuers, rates: rates, operators: operators, sessions: sessions, pages: pages)
    }

    /// - Returns: The same response for HEAD as for GET; the connection leaves its body out.
    package func respond(to request: Request) async -> Response {
        if let tracer = operations.tracer, let span = beginTrace(of: request, tracer) {
            return await InstrumentationContext.withValue(span.context) {
                let response = await answer(request)
                endTrace(span, of: request, response)
                return response
            }
        }
        return await answer(request)
    }

    private func answer(_ request: Request) async -> Response {
        let start = ContinuousClock.now
        var request = request
        request.client = rates.client(of: request)
        return await answer(request, since: start)
    }

    private func answer(_ request: Request, since start: ContinuousClock.Instant) async -> Response {
        if let problem = request.headProblem { return refusal(of: request, problem, since: start) }
        do throws(Problem) {
            if let redirection = try redirect(toHTTPS: request) {
                return answerUnadmitted(request, at: find(request), since: start) { redirection }
            }
        } catch { return refusal(of: request, error, since: start) }
        if let (response, route) = feeds.cachedFeed(request) {
            do throws(Problem) {
                _ = try await admissions.admit(request, to: .reads)
                observe(request, .cachedFeed, at: route, response, since: start)
                return response
            } catch {
                let match = find(request)
                let refusal = refusal(of: request, at: match, error)
                observe(request, Self.answerer(match), at: match?.route, refusal, since: start)
                return refusal
            }
        }
        return await RequestIDs.$current.withValue(operations.requestIDs.id(of: request)) {
            await ClientKey.$current.withValue(rates.clientKey(of: request)) { await answerAnew(request, since: start) }
        }
    }

    /// Answers a request that no cache answers. Its task carries the request's id and its client.
    private func answerAnew(_ request: Request, since start: ContinuousClock.Instant) async -> Response {
        let match = find(request)
        var response: Response
        do {
            if request.peer.listener == .admin { try operations.adminGuard.check(request) }
            let admission = try await admissions.admit(request, to: match?.route.limits ?? .reads)
            if let match {
                response = try await answer(admission.request, at: match)
                response.finish(for: match.route.audience)
            } else {
                response = try aboutServer(request)
            }
            admissions.confirm(admission, by: response)
            await admissions.noteUse(admission.request, at: match, response)
            if !response.isPublic { response.headers[.requestID] = operations.requestIDs.id(of: request) }
        } catch { response = refusal(of: request, at: match, await callers.refusal(of: error, to: request)) }
        if let match { response.countsNowhere = match.route.limits.address(request.method) == nil }
        observe(request, Self.answerer(match), at: match?.route, response, since: start)
        return response
    }

    /// The response to a request that the connection refuses, in the format that its route's clients read.
    package func refusal(of request: Request, _ refusal: Refusal) -> Response {
        self.refusal(of: request, Problem(refusal), since: nil)
    }

    private func refusal(of request: Request, _ problem: Problem, since start: ContinuousClock.Instant?) -> Response {
        // A head beyond its bounds is neither routed nor read.
        let match = request.headProblem == nil ? find(request) : nil
        return answerUnadmitted(request, at: match, since: start) { refusal(of: request, at: match, problem) }
    }

    /// Answers a request that never comes to the limits of its route, and counts it in those of its address. Beyond
    /// these it is 429 without a line in the access log, which such requests could fill at no cost.
    private func answerUnadmitted(
        _ request: Request, at match: RouteMatch?, since start: ContinuousClock.Instant?, _ answer: () -> Response
    ) -> Response {
        if let excess = rates.excess(of: rates.clientAddress(of: request), request.method, on: request.peer.listener) {
            let response = refusal(of: request, at: match, excess)
            operations.requests.count(Self.answerer(match), response.status)
            operations.meters.count(match?.route, request.method, response.status, nil)
            return response
        }
        let response = answer()
        observe(request, Self.answerer(match), at: match?.route, response, since: start)
        return response
    }

    /// Who asks for a path that is served to nobody. Where the console is not served, nothing tells that there is one.
    private func audience(near request: Request) -> Audience {
        let audience = Routes.audience(near: request.path)
        let isServed = audience.isServed(on: request.peer.listener, isAdminPublic: isAdminPublic)
        return audience == .console && !isServed ? .visitors : audience
    }

    /// The error page for a browser.
    private func errorPage(_ problem: Problem, to request: Request, for audience: Audience, requestID: String)
        -> Response
    {
        audience == .console
            ? sessions.refusal(problem, to: request, requestID: requestID)
            : pages.errorPage(problem, to: request, requestID: requestID)
    }

    private static func answerer(_ match: RouteMatch?) -> RequestCounters.Answerer {
        match.map { .route($0.route.audience) } ?? .nobody
    }

    func find(_ request: Request) -> RouteMatch? {
        Routes.find(request.path, method: request.method, on: request.peer.listener, isAdminPublic: isAdminPublic)
    }

    private func refusal(of request: Request, at match: RouteMatch?, _ error: any Error) -> Response {
        let id = operations.requestIDs.id(of: request)
        let problem = admissions.counted(problem(for: error, request.method, at: match, id), of: request)
        let audience = match?.route.audience ?? audience(near: request)
        let accept = request.headProblem == nil ? request.headers[.accept] : nil
        let format: DocumentFormat = audience.isClassic ? Self.format(suffix: match?.suffix, accept: accept) : .json
        var response =
            audience.readsPages && (problem.name != .rateLimited || audience == .console)
                && PageServer.wantsPage(request)
            ? errorPage(problem, to: request, for: audience, requestID: id)
            : problem.response(as: format, requestID: id)
        if problem.name == .methodNotAllowed { response.headers[.allow] = match?.route.allow ?? Routes.allow }
        if problem.name.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        // RFC 9110, section 15.5.16
        if problem == .encodedBody { response.headers[.acceptEncoding] = "identity" }
        response.finish(for: audience)
        return response
    }

    private func answer(_ request: Request, at match: RouteMatch) async throws -> Response {
        if request.method == .options {
            let isOpen = match.route.audience != .admin && match.route.audience != .console
            return isOpen
                ? CrossOrigin.preflight(allow: match.route.allow, asked: request.headers[.accessControlRequestHeaders])
                : Response(status: .noContent, headers: [.allow: match.route.allow])
        }
        guard let answer = match.answer else {
            throw Problem.methodNotAllowed(request.method, allow: match.route.allow)
        }
        if request.body.readableBytes > 0, !Body.isPlain(contentEncoding: request.headers[.contentEncoding]) {
            throw Problem.encodedBody
        }
        return try await answer(handlers, request)
    }

    /// The response to `OPTIONS *`, which is about no resource (RFC 9110, section 9.3.7).
    private func aboutServer(_ request: Request) throws(Problem) -> Response {
        guard request.isForServer else { throw noRoute(request) }
        var response = Response(status: .noContent, headers: [.allow: Routes.allow])
        response.finish(for: .visitors)
        return response
    }

    /// Why nothing is at a path: also when it would be an address with other slugs.
    private func noRoute(_ request: Request) -> Problem {
        let slugs = request.path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case UInt8(ascii: "_"): UInt8(ascii: "-")
            default: byte
            }
        }
        guard !slugs.elementsEqual(request.path.utf8) else { return .noRoute }
        let match = Routes.find(
            String(decoding: slugs, as: UTF8.self), method: request.method, on: request.peer.listener,
            isAdminPublic: isAdminPublic)
        return match == nil ? .noRoute : .noSuchSlug
    }

    /// Translates an error to the problem that the client sees, and logs it when it is a bug. No other code does this.
    private func problem(for error: any Error, _ method: HTTPRequest.Method, at match: RouteMatch?, _ id: String)
        -> Problem
    {
        let problem =
            switch error {
            case let problem as Problem: problem
            case let error as FieldError: Problem(error)
            case let error as StoreError: Problem(error)
            case is CancellationError: Problem.stopping
            default: Problem.bug
            }
        if problem == .bug {
            // The line names the route and never the path, which a client writes and which may name a device.
            log.log(
                .error, "a request ended in an error that nobody expected", of: "\(type(of: error))",
                metadata: [
                    "request": "\(id)", "error": "\(type(of: error))",
                    "route": "\(match?.route.name(method) ?? "none")",
                ])
        }
        return problem
    }

    /// The format of a classic refusal: XML for the suffixes `.xml` and `.plist`, JSON for any other one, and without a
    /// suffix what `Accept` prefers.
    private static func format(suffix: Substring?, accept: String?) -> DocumentFormat {
        guard let suffix, !suffix.isEmpty else { return .chosen(suffix: nil, accept: accept) }
        return suffix == ".xml" || suffix == ".plist" ? .xml : .json
    }
}

extension Response {
    /// Adds the headers that every response has: CORS where the audience allows it, and `nosniff`. No cache keeps what
    /// an operator was told.
    mutating func finish(for audience: Audience) {
        if audience.isOpenToOtherSites { CrossOrigin.open(&self) }
        // The assets of the console say themselves how long they may be kept.
        if audience == .admin || audience == .console && headers[.cacheControl] == nil {
            headers[.cacheControl] = "private, no-store"
        }
        headers[.xContentTypeOptions] = "nosniff"
    }
}
