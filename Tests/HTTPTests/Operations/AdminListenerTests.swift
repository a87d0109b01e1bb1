import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Telemetry
import Testing

@testable import HTTP
@testable import HTTPServer

/// Which routes each listener serves, and whom the admin listener answers.
@Suite struct AdminListenerTests {
    private static func ask(
        _ responder: HTTP.Responder, _ path: String, _ listener: ListenerRole, _ method: HTTPRequest.Method = .get,
        headers: HTTPHeaders = [:]
    ) async -> HTTPServer.Response {
        await responder.respond(
            to: Request(
                method: method, target: path, headers: RequestHeaders(headers), body: ByteBuffer(),
                peer: Peer(address: nil, isEncrypted: false, listener: listener)))
    }

    @Test("operators' routes are on the admin listener alone, clients' on the other, and health checks on both")
    func routes() {
        for route in Routes.all {
            let path = route.template.text
            func isServed(_ listener: ListenerRole, _ isAdminPublic: Bool) -> Bool {
                route.audience.isServed(on: listener, isAdminPublic: isAdminPublic)
            }
            let (open, admin) = (isServed(.open, false), isServed(.admin, false))
            let isAdminAPI = path.hasPrefix("/v1/admin/") || path == "/admin" || path.hasPrefix("/admin/")
            #expect(isServed(.open, true) == (open || isAdminAPI) && isServed(.admin, true) == admin, "\(path)")
            switch path {
            case _ where isAdminAPI: #expect(!open && admin, "\(path)")
            case "/metrics": #expect(!open && admin)
            case "/healthz", "/readyz": #expect(open && admin)
            default: #expect(open && !admin, "\(path)")
            }
        }
    }

    @Test(
        "a route of the other listener is answered like one that does not exist", arguments: ["GET", "OPTIONS", "PUT"])
    func other(method: String) async throws {
        let responder = try Exchange.responderWithoutDatabase()
        let method = try #require(HTTPRequest.Method(method))
        for (path, listener) in [("/metrics", ListenerRole.open), ("/openapi.yaml", .admin), ("/scores", .admin)] {
            let response = await Self.ask(responder, path, listener, method)
            #expect(response.status == .notFound && response.headers[.allow] == nil, "\(path)")
            let unknown = await Self.ask(responder, path + "x", listener, method)
            if path != "/scores" { #expect(response.body == unknown.body, "\(path)") }
        }
    }

    @Test("a feed that is cached for clients is not on the admin listener") func cachedFeed() async throws {
        let responder = try Exchange.responderWithoutDatabase()
        let entity = Entity(bytes: [1], contentType: "text/csv", isGzip: false)
        let request = Request(method: .get, target: "/TopScores.csv", headers: RequestHeaders(), body: ByteBuffer())
        responder.feeds.remember(request, at: Routes.classic.topScores, of: entity, key: "k")
        #expect(responder.feeds.requests.find(request) != nil)
        #expect(await Self.ask(responder, "/TopScores.csv", .admin).status == .notFound)
    }

    @Test("strangers get a word about readiness and operators the causes") func readiness() async throws {
        let responder = try Exchange.responderWithoutDatabase()
        await responder.operations.readiness.check()
        let word = await Self.ask(responder, "/readyz", .open)
        #expect(word.status == .serviceUnavailable && String(buffer: word.body) == "wait\n")
        let causes = await Self.ask(responder, "/readyz", .admin)
        #expect(causes.status == .serviceUnavailable)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(causes.body.readableBytesView)) as? [String: Any])
        #expect(json["ready"] as? Bool == false && json["causes"] as? [String] == ["database-away"])
        #expect(json["standings"] as? String == "loading" && json["pending_writes"] as? Int == 0)
        #expect(json["version"] as? String == OpenAPI.version)
    }

    @Test("the troubles of an archive are figures, one for each") func archive() {
        var metrics = MetricsText()
        let health = ArchiveHealth(troubles: [.behind], waitingFiles: 3, waitingSeconds: 200, archived: 7, failures: 2)
        health.write(to: &metrics)
        for line in [
            #"causeboard_archive_trouble{trouble="archive-failing"} 0"#,
            #"causeboard_archive_trouble{trouble="archive-behind"} 1"#, "causeboard_archive_waiting_segments 3",
            "causeboard_archive_waiting_seconds 200", "causeboard_archive_segments_total 7",
            "causeboard_archive_failures_total 2",
        ] { #expect(metrics.text.contains("\n\(line)\n"), "\(line)") }
        #expect(!metrics.text.contains("base_age"))
    }

    @Test(
        "only a host that no other site's page can have is answered",
        arguments: [
            ("127.0.0.1:8081", true), ("127.0.0.1", true), ("localhost:8081", true), ("LOCALHOST", true),
            ("[::1]:8081", true), ("[::1]", true), ("10.0.0.7:8081", true), ("admin.internal:8081", true),
            ("Admin.Internal", true), ("evil.example:8081", false), ("evil.example", false), ("", false),
            ("localhost.evil.example", false), ("127.0.0.1.evil.example", false), ("127.0.0.1@evil.example", false),
            ("[::1].evil.example", false), ("::1", false), ("[", false), ("localhost, evil.example", false),
            (String(repeating: "1", count: 80_000), false),
        ]) func hosts(host: String, isAnswered: Bool) async throws
    {
        let guarded = AdminGuard(host: "admin.internal")
        let request = Request(
            method: .get, target: "/metrics", headers: RequestHeaders(["Host": host]), body: ByteBuffer())
        #expect(((try? guarded.check(request)) != nil) == isAnswered)
        let fixed = Request(
            method: .get, target: "/", headers: RequestHeaders(["Host": "admin.internal"]), body: .init())
        #expect((try? AdminGuard(host: "127.0.0.1").check(fixed)) == nil, "only the configured name")
    }

    @Test(
        "a page of another site is refused, and a tool without these headers is not",
        arguments: [
            (["Host": "localhost:8081"], 200), ([:], 200),
            (["Host": "localhost:8081", "Origin": "http://localhost:8081"], 200),
            (["Host": "localhost:8081", "Origin": "http://localhost:8080"], 403),
            (["Host": "localhost:8081", "Origin": "https://evil.example"], 403),
            (["Host": "localhost:8081", "Origin": "null"], 403), (["Origin": "http://localhost:8081"], 403),
            (["Host": "localhost:8081", "Sec-Fetch-Site": "none"], 200),
            (["Host": "localhost:8081", "Sec-Fetch-Site": "same-origin"], 200),
            (["Host": "localhost:8081", "Sec-Fetch-Site": "cross-site"], 403),
            (["Host": "localhost:8081", "Sec-Fetch-Site": "same-site"], 403), (["Host": "evil.example:8081"], 403),
        ] as [(HTTPHeaders, Int)]) func sites(headers: HTTPHeaders, status: Int) async throws
    {
        let response = await Self.ask(try Exchange.responderWithoutDatabase(), "/metrics", .admin, headers: headers)
        #expect(response.status.code == status)
        #expect(response.headers[.accessControlAllowOrigin] == nil)
    }
}
