import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct MetricsTests {
    @Test("requests are counted by what answered them, and a stranger cannot add a series") func requests() async throws
    {
        let responder = try Exchange.responderWithoutDatabase()
        func ask(_ method: HTTPRequest.Method, _ path: String, _ listener: ListenerRole = .open) async -> String {
            let response = await responder.respond(
                to: Request(
                    method: method, target: path, headers: RequestHeaders(), body: ByteBuffer(),
                    peer: Peer(address: nil, isEncrypted: false, listener: listener)))
            return String(buffer: response.body)
        }
        for _ in 0..<3 { _ = await ask(.get, "/healthz") }
        for number in 0..<50 { _ = await ask(.put, "/v1/\"}\n\(number)") }
        _ = await ask(.put, "/v1/games/maze/players/7")
        _ = responder.refusalOfGarbage(.noHTTP, from: .unknown)
        let lines = await ask(.get, "/metrics", .admin).split(separator: "\n")
        let counted = lines.filter { $0.hasPrefix("causeboard_requests_total{") }
        #expect(
            counted == [
                #"causeboard_requests_total{route="health",status="2xx"} 3"#,
                #"causeboard_requests_total{route="v1",status="4xx"} 1"#,
                #"causeboard_requests_total{route="none",status="4xx"} 51"#,
            ])
    }

    @Test("each route has its own figures, a cached feed those of its route, and a stranger cannot add a series")
    func routes() async throws {
        let responder = try Exchange.responderWithoutDatabase()
        func ask(_ method: HTTPRequest.Method, _ path: String, _ listener: ListenerRole = .open) async -> String {
            let peer = Peer(address: nil, isEncrypted: false, listener: listener)
            let request = Request(
                method: method, target: path, headers: RequestHeaders(), body: ByteBuffer(), peer: peer)
            return String(buffer: await responder.respond(to: request).body)
        }
        _ = await ask(.get, "/healthz")
        _ = await ask(.head, "/healthz")
        _ = await ask(.put, "/healthz")
        for number in 0..<50 { _ = await ask(HTTPRequest.Method("M\(number)") ?? .get, "/x\(number)") }
        let lines = await ask(.get, "/metrics", .admin).split(separator: "\n")
        let counted = lines.filter { $0.hasPrefix("causeboard_route_requests_total{") }
        #expect(
            counted == [
                #"causeboard_route_requests_total{route="/healthz",method="GET",status="200"} 2"#,
                #"causeboard_route_requests_total{route="/healthz",method="other",status="405"} 1"#,
                #"causeboard_route_requests_total{route="none",method="other",status="404"} 50"#,
            ])
        #expect(lines.contains(#"causeboard_request_seconds_count{route="/healthz",method="GET"} 2"#))
        #expect(lines.count { $0.hasPrefix("causeboard_request_seconds_count{") } == 1)
    }

    @Test("the end of the certificate is a gauge while there is one") func certificate() async throws {
        var certificate: ServerCertificate?
        try withFiles { files in
            certificate = try ServerCertificate(files, now: Instant(microsecondsSince1970: 1_800_000_000_000_000))
        }
        func metrics(_ responder: HTTP.Responder) -> String {
            String(buffer: responder.handlers.operations.metrics(Self.request).body)
        }
        // It is 2126-10-29T08:26:36Z.
        let gauge = "\ncauseboard_certificate_valid_until_seconds 4948935996\n"
        #expect(metrics(try Exchange.responderWithoutDatabase(certificate: certificate)).contains(gauge))
        #expect(!metrics(try Exchange.responderWithoutDatabase()).contains("certificate"))
    }

    private static let request = Request(
        method: .get, target: "/metrics", headers: RequestHeaders(), body: ByteBuffer(),
        peer: Peer(address: nil, isEncrypted: false, listener: .admin))

    @Test("every family has its help and type once, before its samples, and a counter's name ends in _total")
    func format() async throws {
        let responder = try Exchange.responderWithoutDatabase()
        _ = await responder.respond(to: Self.request)
        let response = await responder.respond(to: Self.request)
        var types: [Substring: Substring] = [:]
        for line in String(buffer: response.body).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            if words[0] == "#" {
                guard words[1] == "TYPE" else { continue }
                #expect(types.updateValue(words[3], forKey: words[2]) == nil, "\(words[2]) twice")
                #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(words[2])")
            } else {
                let name = line.prefix { $0 != "{" && $0 != " " }
                let family = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }.map { name.dropLast($0.count) }
                    .flatMap { types[$0] == "histogram" ? $0 : nil }
                #expect(types[family ?? name] != nil, "\(line)")
                #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
            }
        }
        #expect(types.count >= 6)
    }
}
