import Domain
package import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore

extension Responder {
    /// Counts an answered request, and logs it while there is an access log, unless it is a health check.
    /// - Parameters:
    ///   - route: Nil for a path without a route.
    ///   - start: When its answer began; nil for a request that was refused unread.
    func observe(
        _ request: Request, _ answerer: RequestCounters.Answerer, at route: (any ServedRoute)?, _ response: Response,
        since start: ContinuousClock.Instant?
    ) {
        let duration = start.map { .now - $0 }
        operations.requests.count(answerer, response.status)
        operations.meters.count(route, request.method, response.status, duration)
        // Health checks count in no limit, so strangers could fill the disk with their lines.
        guard let accessLog = operations.accessLog, route?.audience != .healthChecks else { return }
        let route = route?.template
        accessLog.write(
            AccessLogLine(
                time: clock.now, requestID: response.headers[.requestID] ?? operations.requestIDs.id(of: request),
                method: request.method, route: route?.whole, status: response.status.code,
                bytesCount: request.method == .head ? 0 : response.body.readableBytes,
                microseconds: duration.map(Self.microseconds) ?? 0,
                caller: AccessLogLine.CallerKind(authorization: request.headers[.authorization]),
                game: game(request, route, response.status, accessLog), address: rates.clientAddress(of: request)))
    }

    /// The response to bytes of which no request could be made, counted and logged like that to a request.
    package func refusalOfGarbage(_ refusal: Refusal, from peer: Peer) -> Response {
        let id = operations.requestIDs.id()
        let excess = rates.excess(of: peer.address, nil, on: peer.listener)
        var response = (excess ?? Problem(refusal)).response(as: .json, requestID: id)
        response.headers[.requestID] = id
        response.finish(for: .visitors)
        operations.requests.count(.nobody, response.status)
        operations.meters.count(nil, nil, response.status, nil)
        guard excess == nil else { return response }
        operations.accessLog?.write(
            AccessLogLine(
                time: clock.now, requestID: response.headers[.requestID] ?? "", method: nil, route: nil,
                status: response.status.code, bytesCount: response.body.readableBytes, microseconds: 0, caller: .none,
                game: nil, address: peer.address))
        return response
    }

    /// The game in the path, once a request has shown that there is such a game.
    private func game(_ request: Request, _ route: PathTemplate?, _ status: HTTPResponse.Status, _ accessLog: AccessLog)
        -> Slug?
    {
        guard let text = route?.game(in: request.path), let game = Slug(text) else { return nil }
        if accessLog.knows(game) { return game }
        // A preflight is answered without a look at the game.
        guard status.kind == .successful || status == .notModified, request.method != .options else { return nil }
        accessLog.found(game)
        return game
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }
}
