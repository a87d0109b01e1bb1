import Credentials
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import SignIn
import Storage

/// The header by which a server tells installations apart: equal where the secret is. See ``Secret/installation``.
package enum InstallationHeader {
    fileprivate static let field = HTTPField.Name.standard("Causeboard-Installation")
    package static var name: String { field.rawName }
}

/// Health checks, figures, and the contract.
final class OperationHandlers: RouteHandlers {
    let operations: Operations
    let secret: Secret
    let live: LiveHub
    let feeds: FeedServer
    let rates: RequestRates
    let replies: Replies
    let issuers: IssuerKeys

    init(
        operations: Operations, secret: Secret, live: LiveHub, feeds: FeedServer, rates: RequestRates, replies: Replies,
        issuers: IssuerKeys
    ) {
        (self.operations, self.secret, self.live, self.feeds, self.rates) = (operations, secret, live, feeds, rates)
        (self.replies, self.issuers) = (replies, issuers)
    }

    static func of(_ handlers: Handlers) -> OperationHandlers { handlers.operations }

    /// `GET /healthz` succeeds while the process runs.
    func healthy(_ request: Request) -> Response { ofInstallation(plain("ok\n")) }

    /// `GET /readyz` succeeds while the database can be reached and takes writes, and the server is not about to end.
    /// Strangers get one word. Operators get the causes, including problems with the archive or the disk reserve; these
    /// two do not make a server unready.
    func ready(_ request: Request) -> Response {
        let report = operations.readiness.report()
        let status: HTTPResponse.Status = report.cause == nil ? .ok : .serviceUnavailable
        switch request.peer.listener {
        case .open: return ofInstallation(plain(report.cause == nil ? "ok\n" : "wait\n", status))
        case .admin: return ofInstallation(replies.own(status, readiness(report)))
        }
    }

    /// Adds the installation, so that a caller notices the server of another one.
    private func ofInstallation(_ response: Response) -> Response {
        var response = response
        response.headers[InstallationHeader.field] = secret.installation
        return response
    }

    private func readiness(_ report: Readiness.Report) -> JSONTree {
        let health = operations.health()
        let words =
            [report.cause?.rawValue, rates.hasRoom ? nil : DiskReserve.cause].compactMap(\.self)
            + (operations.archive()?.troubles ?? []).map(\.rawValue)
        let causes = words.map { JSONTree.value(.text($0)) }
        func number(_ value: some BinaryInteger) -> Value { .integer(Int128(value)) }
        return .object([
            .init("ready", .boolean(report.cause == nil)), .init("causes", .list(causes)),
            .init("version", .text(OpenAPI.version)),
            .init(
                "database",
                .object([
                    .init("seconds_since_check", report.age.map { number($0.components.seconds) } ?? .none),
                    .init("read_only", report.database.map { .boolean($0.isReadOnly) } ?? .none),
                    .init("migration", report.database.map { number($0.migration) } ?? .none),
                ])), .init("standings", .text(health.areStandingsCurrent ? "current" : "loading")),
            .init("stream_lag_milliseconds", health.lag.map { number($0.milliseconds) } ?? .none),
            .init("pending_writes", number(health.pendingWritesCount)),
        ])
    }

    /// `GET /openapi.yaml`
    func contract(_ request: Request) -> Response {
        OpenAPI.entity(isGzip: Entity.takesGzip(request.headers)).response(to: request.headers)
    }

    func plain(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ByteBuffer(string: text))
    }
}

extension OpenAPI {
    /// The document as it is sent, compressed or not. It never changes, so each form is made once, when it is first
    /// asked for, and kept.
    static func entity(isGzip: Bool) -> Entity { isGzip ? compressed : plain }

    private static let plain = made(isGzip: false)
    private static let compressed = made(isGzip: true)

    private static func made(isGzip: Bool) -> Entity {
        Entity(bytes: bytes, contentType: "application/yaml", isGzip: isGzip)
    }
}
