import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

/// Requests whose body or whose path is not what an address takes, whatever the address.
@Suite struct EncodedBodyTests {
    private static func answer(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPHeaders = [:], body: String = "",
        _ listener: ListenerRole = .open
    ) async throws -> HTTPServer.Response {
        try await Exchange.responderWithoutDatabase().respond(
            to: Request(
                method: method, target: path, headers: RequestHeaders(headers), body: ByteBuffer(string: body),
                peer: Peer(address: nil, isEncrypted: false, listener: listener)))
    }

    @Test(
        "a body that is encoded is refused with what to send, at every address",
        arguments: [
            (.put, "/v1/games/maze/boards/lap/scores/0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e", .open),
            (.put, "/v1/games/maze/devices/dev-1", .open), (.patch, "/v1/players/me", .open),
            (.put, "/v1/players/me/saves/slot", .open), (.post, "/v1/players/me/erasure", .open),
            (.put, "/customers", .open), (.put, "/scores", .open), (.put, "/donations", .open),
            (.put, "/v1/admin/games/maze", .admin), (.post, "/admin/sign-in", .admin),
        ] as [(HTTPRequest.Method, String, ListenerRole)]) func encoded(
            method: HTTPRequest.Method, path: String, listener: ListenerRole
        ) async throws
    {
        for coding in ["gzip", "br", "identity, deflate"] {
            let headers: HTTPHeaders = ["content-encoding": coding, "host": "127.0.0.1"]
            let response = try await Self.answer(method, path, headers, body: "\u{1F}", listener)
            #expect(response.status == .unsupportedMediaType, "\(path)")
            #expect(response.headers[.acceptEncoding] == "identity", "\(path)")
            #expect(String(buffer: response.body).contains("without gzip"), "\(path)")
        }
        // The database is away, so whatever is read gets no further; a console without a session says so before.
        let plain: HTTPHeaders = ["content-encoding": "identity", "host": "127.0.0.1"]
        let response = try await Self.answer(method, path, plain, body: "{}", listener)
        #expect(response.status != .unsupportedMediaType || response.headers[.acceptEncoding] == nil, "\(path)")
    }

    @Test("another type that is not read has nothing to do with encodings") func otherType() async throws {
        let headers: HTTPHeaders = ["content-type": "multipart/form-data"]
        let response = try await Self.answer(.put, "/customers", headers, body: "x")
        #expect(response.status == .unsupportedMediaType && response.headers[.acceptEncoding] == nil)
    }

    @Test("a path that would be an address with another slug says how slugs are written") func slugs() async throws {
        for path in [
            "/v1/games/Maze", "/v1/games/my_maze/boards/lap/top.json", "/v1/players/me/saves/slot_1", "/V1/games",
        ] {
            let response = try await Self.answer(.get, path)
            #expect(response.status == .notFound && String(buffer: response.body).contains("maze-2"), "\(path)")
        }
        for path in ["/v1/nothing", "/v1/Nothing_here", "/v1/games/maze!", "/v1/games/-maze", "/METRICS"] {
            let response = try await Self.answer(.get, path)
            #expect(response.status == .notFound && !String(buffer: response.body).contains("maze-2"), "\(path)")
        }
    }

    @Test("health checks say which installation answers, on both listeners") func installation() async throws {
        for listener in [ListenerRole.open, .admin] {
            for path in ["/healthz", "/readyz"] {
                let response = try await Self.answer(.get, path, ["host": "127.0.0.1"], listener)
                let said = response.headers[try #require(HTTPField.Name(InstallationHeader.name))]
                #expect(said?.count == 32, "\(path)")
            }
        }
    }
}
