import Domain
import Glibc
import HTTPServer
import NIOSSL
import Synchronization
import Testing

@testable import Outgoing

/// What is asked of other servers, over real connections to this machine, which only tests may ask.
@Suite(.serialized) struct OutgoingClientTests {
    private static let answer = """
        HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: public, max-age=600\r\n\
        Content-Length: 2\r\n\r\n{}
        """

    /// What a request may take where a test is not about time: a busy machine is slow.
    private static let patience: (connect: Int64, all: Int64) = (10, 30)

    /// A client that finds these addresses for every name.
    private func client(
        _ addresses: [String] = ["127.0.0.1"], loopback: Bool = true, trustRoots: NIOSSLTrustRoots? = nil,
        seconds: (connect: Int64, all: Int64) = patience
    ) throws -> OutgoingClient {
        let found = try addresses.map { try #require(IPAddress($0)) }
        return OutgoingClient(
            permit: AddressPermit(allowing: [], loopback: loopback),
            lookup: NameLookup { _ throws(OutgoingError) in found },
            trustRoots: try trustRoots ?? TestAuthority.trusted(), seconds: seconds)
    }

    private func url(_ server: TestServer, _ target: String = "/keys") throws -> OutgoingURL {
        try #require(OutgoingURL("https://issuer.example:\(server.port)\(target)"))
    }

    private func failure(of url: OutgoingURL, by client: OutgoingClient) async -> OutgoingError? {
        do throws(OutgoingError) {
            _ = try await client.get(url)
            return nil
        } catch { return error }
    }

    @Test("a document is fetched with one plain request that says nothing about who asks") func fetched() async throws {
        let server = try await TestServer(.bytes(Self.answer))
        let answer = try await client().get(url(server, "/keys?p=a"))
        #expect(answer.body == Array("{}".utf8))
        #expect(answer.cacheControl == "public, max-age=600")
        #expect(
            server.heads.all == [
                """
                GET /keys?p=a HTTP/1.1\r\nHost: issuer.example:\(server.port)\r\nConnection: close\r\n\
                User-Agent: causeboard\r\nAccept: application/json\r\nAccept-Encoding: identity\r\n\r\n
                """
            ])
        try await server.close()
    }

    @Test("a certificate of another name, of another authority or of the past is not trusted") func certificates()
        async throws
    {
        for certificate in [TestAuthority.othersCertificate, TestAuthority.expiredCertificate] {
            let server = try await TestServer(.bytes(Self.answer), certificate: certificate)
            #expect(await failure(of: try url(server), by: try client()) == .notTrusted)
            #expect(server.heads.all.isEmpty)
            try await server.close()
        }
        let server = try await TestServer(.bytes(Self.answer))
        #expect(await failure(of: try url(server), by: try client(trustRoots: .default)) == .notTrusted)
        #expect(server.heads.all.isEmpty)
        try await server.close()
    }

    @Test("a server without TLS gets no request") func plain() async throws {
        let server = try await TestServer(.bytes(Self.answer), certificate: nil)
        #expect(await failure(of: try url(server), by: try client(seconds: (1, 1))) != nil)
        #expect(server.heads.all.isEmpty)
        try await server.close()
    }

    @Test("no redirect is followed, and no other status is an answer", arguments: [301, 302, 307, 404, 500, 204])
    func statuses(status: Int) async throws {
        let server = try await TestServer(
            .bytes("HTTP/1.1 \(status) X\r\nLocation: https://issuer.example/other\r\nContent-Length: 0\r\n\r\n"))
        #expect(await failure(of: try url(server), by: try client()) == .status(status))
        #expect(server.heads.all.count == 1)
        try await server.close()
    }

    private static let tooLarge: [TestServer.Answer] = [
        .bytes("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n" + String(repeating: "x", count: 65_537)),
        .endless(begin: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", again: "1\r\nx\r\n"),
        .endless(begin: "HTTP/1.1 200 OK\r\n\r\n", again: String(repeating: "x", count: 1_024)),
        .endless(
            begin: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
            again: String(repeating: "e", count: 1_024)),
        .endless(begin: "HTTP/1.1 103 Early\r\n\r\n", again: "HTTP/1.1 103 Early\r\nLink: x\r\n\r\n"),
    ]

    @Test("an answer that is too long ends the connection, however it is framed", arguments: tooLarge.indices)
    func lengths(index: Int) async throws {
        let server = try await TestServer(Self.tooLarge[index])
        let failure = await failure(of: try url(server), by: try client())
        #expect(failure == .tooLarge || failure == .notHTTP)
        try await server.close()
    }

    @Test("a head of many bytes is no answer") func heads() async throws {
        let server = try await TestServer(
            .endless(begin: "HTTP/1.1 200 OK\r\n", again: "X: " + String(repeating: "x", count: 1_024) + "\r\n"))
        let failure = await failure(of: try url(server), by: try client())
        #expect(failure == .notHTTP || failure == .tooLarge)
        try await server.close()
    }

    @Test("an answer that ends early is none") func cut() async throws {
        let server = try await TestServer(.cut("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"))
        let failure = await failure(of: try url(server), by: try client())
        #expect(failure == .cut || failure == .notHTTP)
        try await server.close()
    }

    @Test("an answer in an encoding that nobody asked for is none") func encodings() async throws {
        let server = try await TestServer(
            .bytes("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"))
        #expect(await failure(of: try url(server), by: try client()) == .notHTTP)
        try await server.close()
    }

    @Test("a server that says nothing is given up") func late() async throws {
        let server = try await TestServer(.nothing)
        #expect(await failure(of: try url(server), by: try client(seconds: (1, 1))) == .late)
        try await server.close()
    }

    @Test("a caller who gives up does not wait") func cancelled() async throws {
        let server = try await TestServer(.nothing)
        let (client, url) = (try client(), try url(server))
        let asking = Task { await failure(of: url, by: client) }
        asking.cancel()
        #expect(await asking.value == .cut)
        try await server.close()
    }

    @Test("a name with an address that is not public is refused before any connection") func rebinding() async throws {
        let server = try await TestServer(.bytes(Self.answer))
        for addresses in [["127.0.0.1"], ["192.0.43.8", "127.0.0.1"], ["10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]] {
            #expect(await failure(of: try url(server), by: try client(addresses, loopback: false)) == .notPublic)
        }
        #expect(server.heads.all.isEmpty)
        try await server.close()
    }

    @Test("a name is looked up once, and the connection goes to the address that was checked") func lookedUpOnce()
        async throws
    {
        let server = try await TestServer(.bytes(Self.answer))
        let lookups = Mutex(0)
        let addresses = ["127.0.0.1", "127.0.0.9"].compactMap { IPAddress($0) }
        let client = OutgoingClient(
            permit: AddressPermit(allowing: [], loopback: true),
            lookup: NameLookup { host throws(OutgoingError) in
                let number = lookups.withLock { lookups in
                    lookups += 1
                    return lookups
                }
                guard host == "issuer.example" else { throw .unknownName }
                return [addresses[min(number, 2) - 1]]
            }, trustRoots: try TestAuthority.trusted(), seconds: Self.patience)
        _ = try await client.get(url(server))
        #expect(lookups.withLock { $0 } == 1)
        try await server.close()
    }

    @Test("when an address takes no connection, the next one is tried") func nextAddress() async throws {
        let server = try await TestServer(.bytes(Self.answer))
        #expect(try await client(["127.0.0.9", "127.0.0.1"]).get(url(server)).body == Array("{}".utf8))
        #expect(await failure(of: try url(server), by: try client(["127.0.0.9"])) == .unreachable)
        #expect(await failure(of: try url(server), by: try client([])) == .unknownName)
        try await server.close()
    }

    @Test("requests for a host share a lookup that hangs, and beyond the places they are refused at once")
    func hanging() async throws {
        let gate = Mutex(false)
        let lookups = Mutex(0)
        let client = OutgoingClient(
            permit: AddressPermit(),
            lookup: NameLookup { _ throws(OutgoingError) in
                lookups.withLock { $0 += 1 }
                while !gate.withLock({ $0 }) { usleep(1_000) }
                throw .unknownName
            }, trustRoots: try TestAuthority.trusted(), seconds: (1, 1))
        let url = try #require(OutgoingURL("https://issuer.example/"))
        for _ in 0..<2 {
            let failures = await withTaskGroup { group in
                for _ in 0...Limits.outgoingRequestsMax { group.addTask { await self.failure(of: url, by: client) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures.count { $0 == .busy } == 1)
            #expect(failures.count { $0 == .late } == Limits.outgoingRequestsMax)
        }
        #expect(lookups.withLock { $0 } == 1)
        gate.withLock { $0 = true }
        let deadline = ContinuousClock.now + .seconds(20)
        var last: OutgoingError? = .late
        while last == .late, .now < deadline { last = await failure(of: url, by: client) }
        #expect(last == .unknownName)
    }
}
