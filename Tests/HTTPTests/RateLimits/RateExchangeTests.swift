import Credentials
import Domain
import HTTPTypes
import NIOCore
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite("limited requests") struct RateExchangeTests {
    private typealias Server = RatedServer

    @Test("an address that reads too often waits, others do not, and health counts nowhere") func reads() async throws {
        try await Server.with(["address-reads": "60/min:2"]) { server in
            let feed = "/v1/games/default/boards/lap/top.json"
            #expect(await server.send(.get, feed).status == 200)
            #expect(await server.send(.options, feed).status == 204)
            let refused = await server.send(.get, feed)
            #expect(refused.isOver("address-reads"), "a feed in the cache is refused like any other")
            #expect(refused.retryAfter == 1)
            #expect(await server.send(.head, "/nowhere").isOver("address-reads"))
            #expect(await server.send(.get, "/healthz").status == 200)
            #expect(await server.send(.get, "/nowhere", on: .admin).status == 404)
            #expect(await server.send(.get, feed, from: "203.0.113.2").status == 200)
            #expect(await server.send(.get, feed, from: nil).status == 200)
            let metrics = await server.send(.get, "/metrics", on: .admin).text
            #expect(metrics.contains("causeboard_rate_limited_total{limit=\"address-reads\"} 2\n"))
            #expect(metrics.contains("causeboard_rate_limited_total{limit=\"key-requests\"} 0\n"))
            server.wait(seconds: 1)
            #expect(await server.send(.get, feed).status == 200)
            #expect(await server.send(.get, feed).isOver("address-reads"))
        }
    }

    @Test("an IPv6 client is its /64") func network() async throws {
        try await Server.with(["address-reads": "1/min:1"]) { server in
            #expect(await server.send(.get, "/v1/games", from: "2001:db8::1").status == 200)
            #expect(await server.send(.get, "/v1/games", from: "2001:db8::ffff:2").status == 429)
            #expect(await server.send(.get, "/v1/games", from: "2001:db8:0:1::1").status == 200)
        }
    }

    @Test("a refused post records nothing and uses up no id") func posts() async throws {
        try await Server.with(["player-posts": "60/min:2"]) { server in
            let (ada, bob) = (await server.player("Ada"), await server.player("Bob"))
            let (one, two) = (Server.newID(), Server.newID())
            let path = "/v1/games/default/boards/lap/scores/"
            #expect(await server.send(.put, path + one, #"{"points": 1}"#, bearer: ada).status == 201)
            #expect(await server.send(.put, path + one, #"{"points": 1}"#, bearer: ada).status == 200, "a retry counts")
            let refused = await server.send(.put, path + two, #"{"points": 2}"#, bearer: ada, from: "203.0.113.7")
            #expect(refused.isOver("player-posts"), "from wherever the player calls")
            #expect(await server.send(.get, path + two, bearer: ada).status == 404)
            #expect(await server.post(bearer: bob).status == 201)
            server.wait(seconds: try #require(refused.retryAfter))
            #expect(await server.send(.put, path + two, #"{"points": 3}"#, bearer: ada).status == 201)
        }
    }

    @Test("donations and registrations have limits of their own") func others() async throws {
        try await Server.with(["player-donations": "1/h", "address-registrations": "2/h"]) { server in
            let ada = await server.player("Ada")
            func donate() async -> Server.Answer {
                await server.send(
                    .put, "/v1/charities/trees/donations/\(Server.newID())", #"{"points": 1}"#, bearer: ada)
            }
            #expect(await donate().status == 422, "there is nothing to donate, and it counts")
            #expect(await donate().isOver("player-donations"))
            #expect(await server.post(bearer: ada).status == 201)
            _ = await server.player("Bob")
            let refused = await server.send(.put, "/v1/games/default/devices/c", "{}", from: "198.51.100.1")
            #expect(refused.isOver("address-registrations"))
        }
    }

    @Test("only a new name is a rename, and who has none left may register under the old one") func renames()
        async throws
    {
        try await Server.with(["player-renames": "1/day"]) { server in
            let ada = await server.player("Ada")
            func register(_ name: String) async -> Server.Answer {
                await server.send(.put, "/v1/games/default/devices/Ada", #"{"name": "\#(name)"}"#, bearer: ada)
            }
            for _ in 0..<3 { #expect(await register("Ada").status == 200) }
            #expect(await server.send(.patch, "/v1/players/me", #"{"name": "Zoe"}"#, bearer: ada).status == 200)
            let refused = await register("Eve")
            #expect(refused.isOver("player-renames"))
            #expect(refused.retryAfter == 86_400)
            let other = await server.send(.patch, "/v1/players/me", #"{"name": "Eve", "country": "nz"}"#, bearer: ada)
            #expect(other.isOver("player-renames"))
            #expect(await register("Zoe").status == 200)
            let me = await server.send(.get, "/v1/players/me", bearer: ada)
            #expect(me.text.contains(#""name":"Zoe""#) && !me.text.contains("country"), "nothing else was changed")
            server.wait(seconds: 86_400)
            #expect(await register("Eve").status == 200)
        }
    }

    @Test("after too many wrong tokens the answer is 429, and good ones from there pass") func failedCredentials()
        async throws
    {
        try await Server.with(["failed-credentials": "2/h"]) { server in
            let ada = await server.player("Ada")
            let wrong = Token.generated(.device).text
            #expect(await server.send(.get, "/v1/players/me").status == 401, "none is no wrong one")
            #expect(await server.send(.get, "/v1/players/me", bearer: "cbd_x").status == 401, "nor is what is no token")
            #expect(await server.post(bearer: wrong).status == 401)
            #expect(await server.post(bearer: Token.generated(.game).text, player: "u").status == 401)
            let refused = await server.post(bearer: wrong)
            #expect(refused.isOver("failed-credentials"))
            #expect(refused.retryAfter == 1_800)
            let taken = await server.send(.put, "/v1/games/default/devices/Ada", "{}", bearer: wrong)
            #expect(taken.status == 409, "a label of another device is no wrong credential")
            #expect(await server.post(bearer: ada).status == 201)
            #expect(await server.send(.get, "/v1/players/me", bearer: ada).status == 200)
            #expect(await server.post(bearer: wrong, from: "203.0.113.2").status == 401)
        }
    }

    @Test("with a good key a request counts for the key alone") func keys() async throws {
        try await Server.with(["address-writes": "2/h", "address-reads": "2/h", "key-requests": "60/min:6"]) { server in
            let key = try await server.key()
            let path = "/v1/games/default/players/u"
            let made = await server.send(.put, path, #"{"name": "Cid"}"#, bearer: key)
            #expect(made.status == 201, "\(made.text)")
            for _ in 0..<4 { #expect(await server.post(bearer: key, player: "u").status == 201) }
            #expect(await server.send(.get, "/v1/games", bearer: key).status == 200)
            #expect(await server.post(bearer: key, player: "u").isOver("key-requests"))
            #expect(await server.send(.get, "/v1/games", bearer: key, from: "203.0.113.9").isOver("key-requests"))
            let wrong = Token.generated(.game).text
            for _ in 0..<2 { #expect(await server.post(bearer: wrong, player: "u").status == 401) }
            #expect(await server.post(bearer: wrong, player: "u").isOver("address-writes"), "it had its two still")
            for _ in 0..<2 { #expect(await server.send(.get, "/v1/games").status == 200) }
            #expect(await server.send(.get, "/v1/games").isOver("address-reads"))
        }
    }

    @Test("a good key that nobody has seen yet passes an address that is over its limit, an invented one does not")
    func newKeys() async throws {
        try await Server.with(["address-writes": "1/h", "failed-credentials": "2/h"]) { server in
            _ = await server.send(.put, "/nowhere")
            let (one, two) = (try await server.key(), try await server.key())
            #expect(
                await server.send(.put, "/v1/games/default/players/u", #"{"name": "Cid"}"#, bearer: one).status == 201)
            for _ in 0..<3 {
                #expect(await server.post(bearer: Token.generated(.game).text, player: "u").isOver("address-writes"))
            }
            #expect(await server.post(bearer: one, player: "u").status == 201)
            #expect(
                await server.post(bearer: two, player: "u").isOver("address-writes"),
                "the address may ask for no more keys")
            #expect(await server.post(bearer: two, player: "u", from: "203.0.113.2").status == 201)
            #expect(await server.post(bearer: two, player: "u").status == 201, "it is known now")
        }
    }

    @Test("a preflight confirms no key") func preflights() async throws {
        try await Server.with(["address-writes": "1/h", "address-reads": "9/h"]) { server in
            let wrong = Token.generated(.game).text
            let path = "/v1/games/default/boards/lap/scores/\(Server.newID())"
            #expect(await server.send(.options, path, bearer: wrong).status == 204)
            #expect(await server.post(bearer: wrong, player: "u").status == 401)
            #expect(await server.send(.options, path, bearer: wrong).status == 204)
            #expect(await server.post(bearer: wrong, player: "u").isOver("address-writes"))
        }
    }

    @Test("a classic post that is refused for its bytes is no registration") func refusedBytes() async throws {
        try await Server.with(["address-registrations": "1/h", "address-stored-bytes": "512/h"]) { server in
            let ada = await server.player("Ada")
            let detail = String(repeating: "x", count: 500)
            let path = "/v1/games/default/boards/lap/scores/\(Server.newID())"
            let posted = await server.send(.put, path, #"{"points": 5, "detail": "\#(detail)"}"#, bearer: ada)
            #expect(posted.status == 201, "\(posted.text)")
            let salted = try await server.store.admin.setGame(
                .defaultGame, name: nil, classic: .token, salt: .set("999888999"), now: .noon)
            #expect(salted == .set)
            // The token of Tests/Golden/hs_post_ok_upper_token.req.
            let classic = await server.send(
                .post, "/high_scores",
                "high_score[player_name]=X&high_score[total_score]=50"
                    + "&high_score[iphone_udid]=2bef0b11cff51cbb2e0730235f5664094b83b487"
                    + "&high_score[auth_token]=E1110D526E1C6C806937370DCB49C37D")
            #expect(classic.status == 429)
            let registered = await server.send(.put, "/v1/games/default/devices/c", #"{"name": "Cy"}"#)
            #expect(registered.isOver("address-stored-bytes"), "the address has its one registration still")
        }
    }

    @Test("a public address confirms no key") func publicKeys() async throws {
        try await Server.with(["address-reads": "2/h"]) { server in
            let wrong = Token.generated(.game).text
            for path in ["/v1/games", "/high_scores"] {
                #expect(await server.send(.get, path, bearer: wrong).status == 200)
            }
            #expect(await server.send(.get, "/v1/games", bearer: wrong).isOver("address-reads"))
        }
    }

    @Test("nobody uses up the limit of somebody else's classic device") func classic() async throws {
        try await Server.with(["player-posts": "2/h", "player-renames": "1/day"]) { server in
            func post(from address: String) async -> Server.Answer {
                await server.send(.put, "/scores.json", "phone=abc&points=5", from: address)
            }
            _ = await server.send(.put, "/customers", "phone=abc&name=Tom", from: "203.0.113.1")
            for _ in 0..<2 { #expect(await post(from: "203.0.113.66").status < 300) }
            #expect(await post(from: "203.0.113.66").isOver("player-posts"))
            #expect(await post(from: "203.0.113.1").status < 300)
            let xml = await server.send(.put, "/scores", "phone=abc&points=5", from: "203.0.113.66")
            #expect(xml.status == 429 && xml.text.contains("<errors>"))
            let high = await server.send(
                .post, "/high_scores",
                "high_score[player_name]=Tom&high_score[total_score]=5&high_score[iphone_udid]=abc"
                    + "&high_score[auth_token]=00", from: "203.0.113.66")
            #expect(high.status == 429)
            #expect(await server.send(.put, "/customers", "phone=abc&name=Tim").status == 200)
            #expect(await server.send(.put, "/customers", "phone=abc&name=Tim").status == 200)
            #expect(await server.send(.put, "/customers", "phone=abc&name=Tam").status == 429)
            #expect(await server.send(.put, "/customers", "phone=abc&name=Tam", from: "203.0.113.2").status == 200)
        }
    }

    @Test("a classic post that registers a device counts as a registration, and one of a known device does not")
    func classicRegistrations() async throws {
        try await Server.with(
            ["address-registrations": "1/h", "player-posts": "60/min"], eventNetworks: ["192.0.2.0/24"]
        ) { server in
            let store = server.store
            let salted = try await store.admin.setGame(
                .defaultGame, name: nil, classic: .token, salt: .set("999888999"), now: .noon)
            #expect(salted == .set)
            func post(from address: String) async -> Int {
                // The token of Tests/Golden/hs_post_ok_upper_token.req.
                await server.send(
                    .post, "/high_scores",
                    "high_score[player_name]=X&high_score[total_score]=50"
                        + "&high_score[iphone_udid]=2bef0b11cff51cbb2e0730235f5664094b83b487"
                        + "&high_score[auth_token]=E1110D526E1C6C806937370DCB49C37D", from: address
                ).status
            }
            _ = await server.player("Ada", from: "203.0.113.1")
            #expect(await post(from: "203.0.113.1") == 429)
            #expect(await post(from: "203.0.113.2") == 200, "nobody was registered yet")
            #expect(await post(from: "203.0.113.1") == 200, "the device is known now")
            let refused = await server.send(.put, "/v1/games/default/devices/c", "{}", from: "203.0.113.2")
            #expect(refused.isOver("address-registrations"))
        }
    }

    @Test("an event's network has no limits of its address, but its wrong tokens count") func event() async throws {
        try await Server.with(
            ["address-reads": "1/h", "address-registrations": "1/h", "failed-credentials": "1/h"],
            eventNetworks: ["203.0.113.0/28", "2001:db8::/32"]
        ) { server in
            for address in ["203.0.113.1", "2001:db8:1::1"] {
                for _ in 0..<3 { #expect(await server.send(.get, "/v1/games", from: address).status == 200) }
            }
            for name in ["Ada", "Bob", "Cid"] { _ = await server.player(name, from: "203.0.113.1") }
            #expect(await server.post(bearer: Token.generated(.device).text).status == 401)
            #expect(await server.post(bearer: Token.generated(.device).text).isOver("failed-credentials"))
            #expect(await server.send(.get, "/v1/games", from: "203.0.113.17").status == 200)
            #expect(await server.send(.get, "/v1/games", from: "203.0.113.17").status == 429)
        }
    }

    @Test("behind a trusted proxy its clients are counted, and elsewhere the header means nothing") func proxies()
        async throws
    {
        try await Server.with(["address-reads": "1/h"], proxies: ["10.0.0.0/8"]) { server in
            func get(_ peer: String, _ forwardedFor: String) async -> Int {
                await server.send(.get, "/v1/games", from: peer, forwardedFor: forwardedFor).status
            }
            #expect(await get("10.0.0.1", "203.0.113.1") == 200)
            #expect(await get("10.0.0.2", "6.6.6.6, 203.0.113.1") == 429)
            #expect(await get("10.0.0.1", "203.0.113.2") == 200)
            #expect(await get("203.0.113.3", "6.6.6.1") == 200)
            #expect(await get("203.0.113.3", "6.6.6.2") == 429)
        }
    }

    @Test("with limits off nothing counts") func off() async throws {
        try await withTestDatabase { database in
            let responder = Exchange.responder(database.store, database.secret)
            #expect(!responder.rates.limiter.isOn)
            let peer = Peer(address: IPAddress("203.0.113.1"), isEncrypted: false)
            for _ in 0..<3 * RateLimit.addressRegistrations.standard.burst {
                let request = Request(
                    method: .put, target: "/v1/games/none/devices/d", headers: RequestHeaders(),
                    body: ByteBuffer(string: #"{"name": "Ada"}"#), peer: peer)
                let status = await responder.respond(to: request).status
                try #require(status == .notFound)
            }
        }
    }
}
