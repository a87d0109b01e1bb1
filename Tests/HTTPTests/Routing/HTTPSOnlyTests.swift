import Credentials
import Domain
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer
@testable import Postgres

/// What a server says to clients that come without encryption where it wants it.
@Suite struct HTTPSOnlyTests {
    @Test("who reads is sent to the same address over https") func redirect() async throws {
        let response = try await answer("GET", "/v1/games?limit=3", host: "scores.example.org:8080")
        #expect(response.status == .permanentRedirect)
        #expect(response.headers[.location] == "https://scores.example.org/v1/games?limit=3")
        #expect(try await answer("HEAD", "/v1/games", host: "x").status == .permanentRedirect)
        #expect(try await answer("GET", "/", host: "x").headers[.location] == "https://x/")
    }

    @Test("another port than 443 is named, and a public https address wins over Host") func bases() async throws {
        let other = HTTPSOnly(publicURL: nil, port: 8443)
        let named = try await answer("GET", "/v1/games", host: "[2001:db8::1]:8080", other)
        #expect(named.headers[.location] == "https://[2001:db8::1]:8443/v1/games")
        for url in ["https://scores.example.org", "https://scores.example.org/"] {
            let publicly = try await answer("GET", "/v1/games", host: "evil", HTTPSOnly(publicURL: url, port: 8443))
            #expect(publicly.headers[.location] == "https://scores.example.org/v1/games")
        }
        let plain = HTTPSOnly(publicURL: "http://scores.example.org", port: 443)
        #expect(try await answer("GET", "/v1/games", host: "x", plain).headers[.location] == "https://x/v1/games")
    }

    @Test("who writes in v1 or signs in is refused, as what was sent has been seen already") func writes() async throws
    {
        for method in ["PUT", "POST", "PATCH", "DELETE", "OPTIONS"] {
            for path in ["/v1/games", "/v1/nowhere", "/v1/admin/games", "/admin/sign-in", "/admin/acts"] {
                let response = try await answer(method, path, host: "x")
                #expect(response.status == .forbidden, "\(method) \(path)")
                #expect(String(buffer: response.body).contains("/problems/https-only"))
            }
        }
    }

    @Test("the classic protocol and health stay plain") func plain() async throws {
        let responder = try Exchange.responderWithoutDatabase(httpsOnly: HTTPSOnly(publicURL: nil, port: 443))
        for (method, path): (HTTPRequest.Method, String) in [
            (.get, "/healthz"), (.get, "/readyz"), (.put, "/customers"), (.get, "/customers/1.xml"),
            (.get, "/TopScores.xml"), (.post, "/high_scores"), (.put, "/donations"), (.post, "/nowhere"),
        ] {
            let headers = RequestHeaders(["host": "x"])
            let request = Request(method: method, target: path, headers: headers, body: ByteBuffer())
            #expect(try responder.redirect(toHTTPS: request)?.status == nil, "\(method) \(path)")
        }
    }

    @Test("nobody is sent to a Host that is no host, or from a target that is no path") func hosts() async throws {
        for host in ["", "a b", "a/b", "evil.org/@", "a@b", "x:y", "[::1", "[zz]", "[1.2.3.4]", "ä.org", "x:80:80"] {
            #expect(try await answer("GET", "/v1/games", host: host).status == .forbidden)
        }
        #expect(try await answer("GET", "http://evil.org/v1/games", host: "x").status == .forbidden)
        #expect(try await answer("GET", "/v1/games", host: nil).status == .forbidden)
    }

    @Test("a request that came encrypted is answered as usual, also when only a trusted proxy says so") func encrypted()
        async throws
    {
        let direct = try await answer("GET", "/privacy", host: "x", peer: Peer(address: nil, isEncrypted: true))
        #expect(direct.status == .ok)
        for (address, status) in [("192.0.2.1", HTTPResponse.Status.ok), ("192.0.2.2", .permanentRedirect)] {
            let peer = Peer(address: IPAddress(address), isEncrypted: false)
            #expect(try await answer("GET", "/privacy", host: "x", peer: peer, scheme: "https").status == status)
            #expect(try await answer("GET", "/privacy", host: "x", peer: peer).status == .permanentRedirect)
        }
    }

    private func answer(
        _ method: String, _ target: String, host: String?,
        _ httpsOnly: HTTPSOnly = HTTPSOnly(publicURL: nil, port: 443), peer: Peer = .unknown, scheme: String? = nil
    ) async throws -> Response {
        let proxies = TrustedProxies([try #require(IPNetwork("192.0.2.1/32"))])
        let responder = try Exchange.responderWithoutDatabase(proxies: proxies, httpsOnly: httpsOnly)
        var headers: HTTPHeaders = ["user-agent": "test"]
        if let scheme { headers.add(name: "X-Forwarded-Proto", value: scheme) }
        if let host { headers.add(name: "Host", value: host) }
        return await responder.respond(
            to: Request(
                method: try #require(HTTPRequest.Method(method)), target: target, headers: RequestHeaders(headers),
                body: ByteBuffer(), peer: peer))
    }
}
