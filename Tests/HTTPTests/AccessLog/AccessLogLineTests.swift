import Domain
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestDatabases
import TestDice
import Testing

@testable import HTTP
@testable import HTTPServer

/// What the access log shows of a request.
@Suite struct AccessLogLineTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "access-log-\(UUID())").path()
    private let log: AccessLog
    private let responder: HTTP.Responder

    init() throws {
        log = try AccessLog(path, logger: .none)
        responder = try Exchange.responderWithoutDatabase(accessLog: log)
    }

    private func lines() async throws -> [String] {
        await log.flush(within: .seconds(60))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func request(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPHeaders = [:], body: String = "",
        from address: String = "203.0.113.77"
    ) -> HTTPServer.Request {
        Request(
            method: method, target: target, headers: RequestHeaders(headers), body: ByteBuffer(string: body),
            peer: Peer(address: IPAddress(address), isEncrypted: false))
    }

    /// Sends bytes over a connection of their own; returns what came back.
    private func send(_ text: String, to responder: HTTP.Responder? = nil) throws -> String {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "203.0.113.77", port: 1)).wait()
        ClientChannel(responder ?? self.responder).connect(channel)
        do { try channel.writeInbound(ByteBuffer(string: text)) } catch is HTTPParserError {}
        return try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) } ?? ""
    }

    @Test("a line has these members, in this form") func form() async throws {
        _ = await responder.respond(
            to: Self.request(.put, "/v1/games/maze/players/7?x=1", ["Authorization": "Bearer cbk_x"]))
        let line = try #require(try await lines().first)
        let pattern =
            #"^\{"time":"2009-09-12T10:00:0\d\.000000Z","request":"exchange","method":"PUT","#
            + #""route":"/v1/games/\{game\}/players/\{your-id\}","status":401,"bytes":\d+,"microseconds":\d+,"#
            + #""caller":"game","game":null,"address":"203\.0\.113\.0/24"\}$"#
        #expect(line.range(of: pattern, options: .regularExpression) != nil, "\(line)")
    }

    @Test("a cached feed, a refusal by the connection and bytes that are no HTTP have a line as well") func everyWay()
        async throws
    {
        let entity = Entity(bytes: [1, 2, 3], contentType: "text/csv", isGzip: false)
        let feed = Self.request(.get, "/v1/games/maze/boards/lap/top.csv")
        responder.observe(feed, .cachedFeed, at: Routes.v1.boardTop, entity.response(to: RequestHeaders()), since: .now)
        let tooLarge = "PUT /scores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n"
        #expect(try send(tooLarge).hasPrefix("HTTP/1.1 413 "))
        #expect(try send("no http at all\r\n\r\n").contains("\r\nRequest-Id: exchange\r\n"))

        let seen = try await lines().map { line in
            let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return [json["method"], json["route"], json["status"], json["game"]].map { value in
                value.flatMap { $0 is NSNull ? nil : "\($0)" } ?? "-"
            }.joined(separator: " ")
        }
        #expect(
            seen == [
                "GET /v1/games/{game}/boards/{board}/top{.format} 200 maze", "PUT /scores{.suffix} 413 -", "- - 400 -",
            ])
    }

    @Test("what is refused before its route counts in its address's limit, and beyond it writes no line")
    func unadmitted() async throws {
        var settings = RateSettings()
        settings.rates[.addressReads] = Rate("4/h")
        settings.rates[.addressWrites] = Rate("1/h")
        let responder = try Exchange.responderWithoutDatabase(
            rates: RateLimiter(settings), httpsOnly: HTTPSOnly(publicURL: nil, port: 443), accessLog: log)
        func ask(_ target: String, _ headers: HTTPHeaders = [:]) async -> Int {
            await responder.respond(to: Self.request(.get, target, headers)).status.code
        }
        let (long, header) = (String(repeating: "x", count: 9_000), String(repeating: "x", count: 3_000))
        let tooLarge = "PUT /scores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n"
        #expect(await ask("/" + long) == 414)
        #expect(await ask("/v1/games", ["Accept": header]) == 431)
        #expect(await ask("/v1/games", ["Host": "x"]) == 308)
        #expect(try send("no http at all\r\n\r\n", to: responder).hasPrefix("HTTP/1.1 400 "))
        #expect(try send(tooLarge, to: responder).hasPrefix("HTTP/1.1 413 "))

        #expect(await ask("/" + long) == 429)
        #expect(await ask("/v1/games", ["Accept": header]) == 429)
        #expect(await ask("/v1/games", ["Host": "x"]) == 429)
        #expect(try send("no http at all\r\n\r\n", to: responder).hasPrefix("HTTP/1.1 429 "))
        #expect(try send(tooLarge, to: responder).hasPrefix("HTTP/1.1 429 "))

        let lines = try await lines()
        #expect(lines.count == 5)
        for (line, status) in zip(lines, [414, 431, 308, 400, 413]) {
            #expect(line.contains(#""status":\#(status)"#), "\(line)")
            #expect(line.contains(#""route":"/v1/games""#) == (status == 308), "\(line)")
            #expect(line.contains(#""bytes":0,"#) == (status == 308), "\(line)")
        }
    }

    @Test("health checks, which count in no limit, have no line") func healthChecks() async throws {
        for method in [HTTPRequest.Method.get, .post, .options] {
            for target in ["/healthz", "/readyz", "/healthz?x=1"] {
                _ = await responder.respond(to: Self.request(method, target))
            }
        }
        _ = await responder.respond(to: Self.request(.get, "/healthy"))
        #expect(try await lines().count == 1)
    }

    @Test("a minute has a bounded number of lines about refusals with 429, and a line says how many were left out")
    func refusals() async throws {
        func line(_ status: Int, _ second: Int64) -> AccessLogLine {
            AccessLogLine(
                time: Exchange.start.advanced(bySeconds: second), requestID: "r", method: .get, route: nil,
                status: status, bytesCount: 0, microseconds: 0, caller: .none, game: nil, address: nil)
        }
        for _ in 0..<Limits.accessLogRefusalsMax + 5 { log.write(line(429, 0)) }
        log.write(line(200, 1))
        log.write(line(429, 60))
        for _ in 0..<Limits.accessLogRefusalsMax { log.write(line(429, 61)) }
        let lines = try await lines()
        let most = Limits.accessLogRefusalsMax
        #expect(lines.count == most + 1 + 1 + most + 1)
        #expect(lines[most].contains(#""status":200"#))
        #expect(lines[most + 1].hasSuffix(#","status":429,"left_out":5}"#), "\(lines[most + 1])")
        #expect(lines.last?.hasSuffix(#","status":429,"left_out":1}"#) ?? false, "\(lines.last ?? "")")
        for line in [lines[most + 1], lines[0]] {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any], "\(line)")
        }
    }

    @Test("a game is shown once a request has found it, as an unknown slug is a client's own words") func games()
        async throws
    {
        func observe(_ method: HTTPRequest.Method, _ status: HTTPResponse.Status) {
            let request = Self.request(method, "/v1/games/mary-smith/boards")
            let route = Routes.find(request.path, method: method)?.route
            responder.observe(request, .route(.v1), at: route, Response(status: status), since: .now)
        }
        observe(.get, .notFound)
        observe(.options, .noContent)
        observe(.get, .ok)
        observe(.get, .notFound)
        let games = try await lines().map { $0.contains(#""game":"mary-smith""#) }
        #expect(games == [false, false, true, true])
    }

    @Test(
        "of an address only the network is shown, and of a token only its kind",
        arguments: [
            ("203.0.113.77", "203.0.113.0/24"), ("::ffff:203.0.113.77", "203.0.113.0/24"),
            ("2001:db8:abcd:1234::5", "2001:db8:abcd::/48"), ("::1", "0:0:0::/48"),
        ]) func addresses(address: String, network: String) async throws
    {
        _ = await responder.respond(to: Self.request(.get, "/none", from: address))
        #expect(try await lines().first?.contains("\"address\":\"\(network)\"") == true)
    }

    @Test("behind a trusted proxy the address is the client's, and elsewhere the header means nothing") func proxies()
        async throws
    {
        let proxy = try #require(IPNetwork("203.0.113.1"))
        let responder = try Exchange.responderWithoutDatabase(proxies: TrustedProxies([proxy]), accessLog: log)
        for peer in ["203.0.113.1", "203.0.113.2"] {
            let headers: HTTPHeaders = ["X-Forwarded-For": "6.6.6.6, 2001:db8:abcd:1234::5"]
            _ = await responder.respond(to: Self.request(.get, "/none", headers, from: peer))
        }
        let lines = try await lines()
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""address":"2001:db8:abcd::/48""#) == true)
        #expect(lines.last?.contains(#""address":"203.0.113.0/24""#) == true)
    }

    @Test("the kind of caller is that of the token") func callers() {
        for (header, kind) in [
            (nil, AccessLogLine.CallerKind.none), ("Bearer cbd_x", .player), ("bearer  cbk_x", .game),
            ("BEARER cba_x", .admin), ("Bearer", .none), ("Bearer ", .none), ("Basic cbd_x", .none), ("cbd_x", .none),
            ("Bearer xcbd_", .none), ("", .none),
        ] as [(String?, AccessLogLine.CallerKind)] {
            #expect(AccessLogLine.CallerKind(authorization: header) == kind, "\(header ?? "nil")")
        }
    }

    @Test(
        "whatever is asked, a line has nothing of the path, the query, the token, the body or the whole address",
        arguments: Dice.seeds(1...8)) func hostile(seed: UInt64) async throws
    {
        var dice = Dice(seed: seed)
        let count = 200
        let names = ["GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "ZQZQ"]
        let methods = try names.map { try #require(HTTPRequest.Method($0)) }
        for _ in 0..<count {
            let marks = ["", "\"", "\\", "\n", "\u{0}", "%22", "\",\"x\":\"", "ü", "}"]
            func secret() -> String { "zq\(dice.pick(marks))\(UInt32(truncatingIfNeeded: dice.next()))zq" }
            let templates = Routes.all.map(\.template)
            let template = dice.pick(templates)
            let path = dice.percent(80) ? template.literals.map { $0 + secret() }.joined() : "/" + secret()
            _ = await responder.respond(
                to: Self.request(
                    dice.pick(methods), path + "?" + secret(),
                    [
                        "Authorization": dice.pick(["Bearer cbd_", "Bearer cbk_", "Bearer ", ""]) + secret(),
                        "Request-Id": secret(), "User-Agent": secret(), "Host": secret(), "X-Forwarded-For": secret(),
                    ], body: "name=" + secret(), from: "203.0.113.177"))
        }
        let lines = try await lines()
        #expect(lines.count == count)
        for line in lines {
            #expect(!line.lowercased().contains("zq") && !line.contains("113.177"), "\(line)")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(
                json.keys.sorted() == [
                    "address", "bytes", "caller", "game", "method", "microseconds", "request", "route", "status",
                    "time",
                ])
        }
    }
}
