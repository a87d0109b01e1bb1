package import Credentials
import Domain
package import Feeds
import HTTPTypes
package import Leaderboard
package import Logging
package import Storage

/// Answers every request: finds the route of the path, calls its handler, and turns errors into problems.
package struct Responder: Sendable {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    /// Called for each `GET /metrics`.
    let health: @Sendable () -> Health
    let secret: Secret
    let clock: ServerClock
    let links: FeedLinks
    let feeds: FeedCache
    let feedRequests = FeedRequestCache()
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
        feeds = FeedCache(rankings)
        self.health = health
        self.secret = secret
        self.clock = clock
        self.links = links
        self.logger = logger
    }

    /// - Returns: The same response for HEAD as for GET; the connection leaves its body out.
    package func respond(to request: Request) async -> Response {
        if let response = cachedFeed(request) { return response }
        let match = Routes.find(request.path, method: request.method)
        do {
            guard let match else {
                if request.isForServer { return aboutServer() }
                throw Problem.noRoute
            }
            var response = try await answer(request, at: match)
            finish(&response, for: match.route.audience)
            return response
        } catch {
            return refusal(of: request, at: match, problem(for: error, request))
        }
    }

    /// The response to a request that is refused, in the format that its route's clients read.
    func refusal(of request: Request, _ problem: Problem) -> Response {
        refusal(of: request, at: Routes.find(request.path, method: request.method), problem)
    }

    /// The response to bytes of which no request could be made.
    func refusalOfGarbage(_ problem: Problem) -> Response {
        var response = problem.response(as: .json)
        finish(&response, for: .operators)
        return response
    }

    private func refusal(of request: Request, at match: RouteMatch?, _ problem: Problem) -> Response {
        let audience = match?.route.audience ?? Routes.audience(near: request.path)
        let format: DocumentFormat =
            audience.isClassic ? Self.format(suffix: match?.suffix, accept: request.headers[.accept]) : .json
        var response = problem.response(as: format)
        if problem.name == .methodNotAllowed { response.headers[.allow] = match?.route.allow ?? Routes.allow }
        if problem.name == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        finish(&response, for: audience)
        return response
    }

    /// Adds the headers that every response has: CORS where the audience allows it, and `nosniff`.
    func finish(_ response: inout Response, for audience: Audience) {
        if audience.isOpenToOtherSites { CrossOrigin.open(&response) }
        response.headers[.xContentTypeOptions] = "nosniff"
    }

    private func answer(_ request: Request, at match: RouteMatch) async throws -> Response {
        if request.method == .options { return CrossOrigin.preflight(allow: match.route.allow) }
        guard let answer = match.answer else {
            throw Problem.methodNotAllowed(request.method, allow: match.route.allow)
        }
        return try await answer(self, request)
    }

    /// The response to `OPTIONS *`, which is about no resource (RFC 9110, section 9.3.7).
    private func aboutServer() -> Response {
        var response = Response(status: .noContent, headers: [.allow: Routes.allow])
        finish(&response, for: .operators)
        return response
    }

    /// Translates an error to the problem that the client sees, and logs it when it is a bug. No other code does this.
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
                metadata: [
                    "error": "\(type(of: error))", "method": "\(request.method)", "path": "\(request.path)",
                ]
            )
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
