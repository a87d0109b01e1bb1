import Credentials
import Domain
import FoundationEssentials
import HTTPServer
import HTTPTypes
import NIOHTTP1
import Storage
import TestDatabases
import Testing

@testable import HTTP

/// What the requests of operators count in where clients may send them too.
@Suite struct OperatorRateTests {
    private static let games = "/v1/admin/games"

    @Test("an invented key counts in the limits of its address, and on the admin listener in none") func inventedKeys()
        async throws
    {
        try await RatedServer.with(["address-reads": "2/h", "address-writes": "1/h"], isAdminPublic: true) { server in
            func ask() async -> RatedServer.Answer {
                await server.send(.get, Self.games, bearer: Token.generated(.admin).text)
            }
            for _ in 0..<2 { #expect(await ask().status == 401) }
            #expect(await ask().isOver("address-reads"))
            #expect(await server.send(.get, "/admin/players").isOver("address-reads"))
            let path = "/v1/admin/acts/\(RatedServer.newID())"
            #expect(await server.send(.put, path, "{}", bearer: Token.generated(.admin).text).status == 401)
            #expect(await server.send(.put, path, "{}").isOver("address-writes"))
            for _ in 0..<4 { #expect(await server.send(.get, Self.games, on: .admin).status == 401) }
        }
    }

    @Test("a good key counts in none, and passes an address that is over its limit") func goodKeys() async throws {
        try await RatedServer.with(["address-reads": "1/h", "failed-credentials": "2/h"], isAdminPublic: true) {
            server in
            let key = try await server.operatorsKey()
            for _ in 0..<3 { #expect(await server.send(.get, Self.games, bearer: key).status == 200) }
            #expect(await server.send(.get, "/v1/games").status == 200, "the address has its one still")
            #expect(await server.send(.get, "/v1/games").isOver("address-reads"))
            let other = try await server.operatorsKey(["operate"])
            #expect(
                await server.send(.get, Self.games, bearer: other).status == 403, "it is a key, and lacks the scope")
            #expect(await server.send(.get, Self.games, bearer: Token.generated(.admin).text).isOver("address-reads"))
        }
    }

    @Test("a key that has ended counts again") func endedKeys() async throws {
        try await RatedServer.with(["address-reads": "1/h"], isAdminPublic: true) { server in
            let key = try await server.operatorsKey()
            #expect(await server.send(.get, Self.games, bearer: key).status == 200)
            let id = try #require(try await server.store.admin.keys(of: .admin, limitRows: 1).first?.id)
            #expect(try await server.store.admin.revokeKey(id, now: .noon).0 == .set)
            for status in [401, 401, 429] { #expect(await server.send(.get, Self.games, bearer: key).status == status) }
        }
    }

    @Test("signing in counts in the limits of its address, and what a session asks for in none") func console()
        async throws
    {
        try await RatedServer.with(["address-reads": "1/h", "address-writes": "2/h"], isAdminPublic: true) { server in
            let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
            func signIn(_ key: String) async -> RatedServer.Answer {
                await server.send(.post, "/admin/sign-in", "key=\(key)", headers: form)
            }
            #expect(await signIn(Token.generated(.admin).text).status == 401)
            let answer = await signIn(try await server.operatorsKey())
            #expect(answer.status == 303)
            #expect(await signIn(Token.generated(.admin).text).status == 429)
            let session: HTTPHeaders = ["Cookie": try #require(answer.cookie)]
            for _ in 0..<3 { #expect(await server.send(.get, "/admin/games", headers: session).status == 200) }
            #expect(await server.send(.get, "/admin/sign-in", headers: session).status == 200)
            #expect(await server.send(.get, "/admin/sign-in", headers: session).status == 429, "that proves no key")
            #expect(await server.send(.get, "/admin/games", headers: session).status == 200)
            #expect(await server.send(.get, "/admin/games", headers: ["Cookie": "__Host-causeboard=x"]).status == 429)
        }
    }
}
