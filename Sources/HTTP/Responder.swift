import Domain
package import Feeds
import HTTPTypes
package import Leaderboard
package import Logging
package import Storage

/// The way of every request: path to route, route to handler, handler to reply. Errors end here.
package struct Responder: Sendable {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    /// Asked for whenever somebody wants to know.
    let health: @Sendable () -> Health
    let secret: Secret
    let clock: ServerClock
    let links: FeedLinks
    let feeds: Feeds
    let addresses = FeedRequestCache()
    let logger: Logger

    package init(
        store: Store,
        writeBatcher: WriteBatcher,
        rankings: Rankings,
        health: @escaping @Sendable () -> Health,
        secret: Secret,
        clock: ServerClock,
        links: FeedLinks,
        logger: Logger
    ) {
        self.store = store
        self.writeBatcher = writeBatcher
        self.rankings = rankings
        feeds = Feeds(rankings) { $0.bytesCount }
        self.health = health
        self.secret = secret
        self.clock = clock
        self.links = links
        self.logger = logger
    }

    /// - Returns: To HEAD the same as to GET: whoever sends it leaves the body out.
    package func respond(to request: Request) async -> Response {
        if let kept = cachedFeed(request) { return kept }
        let route = Route(path: request.path)
        do {
            guard let route else { throw Problem(.notFound, "There is nothing at this address.") }
            var response = try await answer(request, at: route)
            finish(&response, isOpenToOtherSites: route.isOpenToOtherSites)
            return response
        } catch {
            return refusal(of: request, at: route, problem(for: error, request))
        }
    }

    /// The answer to a request that is not answered as it wishes.
    func refusal(of request: Request, _ problem: Problem) -> Response {
        refusal(of: request, at: Route(path: request.path), problem)
    }

    private func refusal(of request: Request, at route: Route?, _ problem: Problem) -> Response {
        var response = problem.response(as: problemFormat(of: request, at: route))
        if problem.name == .methodNotAllowed { response.headers[.allow] = route.map(Self.allowed) }
        if problem.name == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        finish(&response, isOpenToOtherSites: route?.isOpenToOtherSites ?? (request.path + "/").hasPrefix("/v1/"))
        return response
    }

    /// What every answer says.
    func finish(_ response: inout Response, isOpenToOtherSites: Bool) {
        if isOpenToOtherSites { CrossOrigin.open(&response) }
        response.headers[.xContentTypeOptions] = "nosniff"
    }

    private func answer(_ request: Request, at route: Route) async throws -> Response {
        guard route.methods.contains(request.method) else {
            throw Problem(
                .methodNotAllowed,
                "This address does not take \(request.method.rawValue). Use one of \(Self.allowed(route))."
            )
        }
        if request.method == .options { return CrossOrigin.preflight(allow: Self.allowed(route)) }
        return try await request.method == .get || request.method == .head
            ? read(request, at: route) : write(request, at: route)
    }

    /// The one place where errors become what a client sees.
    private func problem(for error: any Error, _ request: Request) -> Problem {
        let problem =
            switch error {
            case let problem as Problem: problem
            case let error as FieldError: Problem(error)
            case let error as StoreError: Problem(error)
            case is CancellationError: Problem.stopping
            default: Problem.bug
            }
        if problem == .bug {
            logger.error(
                "a request ended in an error that nobody expected",
                metadata: ["error": "\(type(of: error))", "method": "\(request.method)", "path": "\(request.path)"]
            )
        }
        return problem
    }

    /// Classic callers get XML unless they ask for JSON; everybody else gets JSON.
    private func problemFormat(of request: Request, at route: Route?) -> DocumentFormat {
        guard route?.isClassic ?? Route.isClassic(path: request.path) else { return .json }
        switch route {
        case .customers(.some(let suffix)), .customer(_, .some(let suffix)), .scores(.some(let suffix)),
            .donations(.some(let suffix)):
            return suffix
        case .topScores(.some(let suffix)), .highScores(.some(let suffix)):
            return suffix == .xml || suffix == .plist ? .xml : .json
        default: return .chosen(suffix: nil, accept: request.headers[.accept])
        }
    }

    private static func allowed(_ route: Route) -> String {
        route.methods.map(\.rawValue).joined(separator: ", ")
    }
}
