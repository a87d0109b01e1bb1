import Domain
package import HTTPServer
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An https client for servers that an operator's settings name.
///
/// It looks up the name once for each request, and every address must be permitted. It connects to a checked address,
/// so a DNS change in between has no effect. TLS verifies the certificate for the name. It follows no redirects, and
/// ignores proxies of the environment.
package final class OutgoingClient: Sendable {
    private let permit: AddressPermit
    private let lookup: NameLookup
    private let trustRoots: NIOSSLTrustRoots
    private let seconds: (connect: Int64, all: Int64)
    /// Made for the first request, because it reads the machine's CA certificates.
    private let encryption = Mutex<NIOSSLContext?>(nil)
    private let running = Mutex(0)

    /// - Parameter networks: Private networks to which connections are allowed.
    package convenience init(allowing networks: [IPNetwork] = []) {
        self.init(permit: AddressPermit(allowing: networks), lookup: NameLookup(), trustRoots: .default)
    }

    /// - Parameter seconds: Time limits of a connection, and of a request as a whole.
    init(
        permit: AddressPermit, lookup: NameLookup, trustRoots: NIOSSLTrustRoots,
        seconds: (connect: Int64, all: Int64) = (Limits.outgoingConnectSeconds, Limits.outgoingSeconds)
    ) { (self.permit, self.lookup, self.trustRoots, self.seconds) = (permit, lookup, trustRoots, seconds) }

    /// Gets a document.
    /// - Returns: An answer with status 200; its body has at most ``Limits/outgoingBodyBytesMax``.
    /// - Throws: Within ``Limits/outgoingSeconds``.
    package func get(_ url: OutgoingURL) async throws(OutgoingError) -> OutgoingAnswer {
        let context: NIOSSLContext
        do { context = try madeEncryption() } catch { throw .noAuthorities }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: OutgoingAnswer.self)
        do throws(OutgoingError) { try start(url, encryption: context, on: loop, answer) } catch {
            answer.fail(error)
            throw error
        }
        do {
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                answer.fail(OutgoingError.cut)
            }
        } catch { throw error as? OutgoingError ?? .cut }
    }

    private func madeEncryption() throws -> NIOSSLContext {
        try encryption.withLock { made in
            if let made { return made }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.trustRoots = trustRoots
            configuration.applicationProtocols = ["http/1.1"]
            let context = try NIOSSLContext(configuration: configuration)
            made = context
            return context
        }
    }

    private func start(
        _ url: OutgoingURL, encryption: NIOSSLContext, on loop: any EventLoop,
        _ answer: EventLoopPromise<OutgoingAnswer>
    ) throws(OutgoingError) {
        let isRunning = running.withLock { running in
            guard running < Limits.outgoingRequestsMax else { return false }
            running += 1
            return true
        }
        guard isRunning else { throw .busy }
        let alarm = loop.scheduleTask(in: .seconds(seconds.all)) { answer.fail(OutgoingError.late) }
        let exchange = OutgoingExchange(url, encryption: encryption, connectSeconds: seconds.connect, on: loop, answer)
        let found = lookup.addresses(of: url.host, on: loop)
        found.whenFailure { _ in answer.fail(OutgoingError.unknownName) }
        found.whenSuccess { [permit] addresses in
            if addresses.isEmpty { return answer.fail(OutgoingError.unknownName) }
            // One forbidden address is enough to refuse the name, even if it would not have been tried.
            guard addresses.allSatisfy(permit.allows) else { return answer.fail(OutgoingError.notPublic) }
            exchange.connect(to: addresses.prefix(Limits.outgoingAddressesTried))
        }
        answer.futureResult.whenComplete { [self] _ in
            alarm.cancel()
            running.withLock { $0 -= 1 }
        }
    }
}

/// The answer of another server.
package struct OutgoingAnswer: Sendable {
    package let body: [UInt8]
    /// Its `Cache-Control` header; nil without one.
    package let cacheControl: String?

    package init(body: [UInt8], cacheControl: String? = nil) { (self.body, self.cacheControl) = (body, cacheControl) }
}

/// Why there is no usable answer.
package enum OutgoingError: Error, Equatable {
    /// The limit of concurrent requests is reached.
    case busy
    /// The machine has no CA certificates.
    case noAuthorities
    /// The name has no address, or the lookup failed.
    case unknownName
    /// One of the name's addresses is private, and no setting allows it.
    case notPublic
    /// None of the addresses accepts the connection.
    case unreachable
    /// The certificate is for another name, or not from a trusted authority.
    case notTrusted
    case notHTTP
    /// A status other than 200, such as a redirect.
    case status(Int)
    case tooLarge
    /// The connection ended before the answer, or the caller was cancelled.
    case cut
    case late

    /// For logs and metric labels: one of a fixed set of words, without any text from outside.
    package var reason: String {
        switch self {
        case .busy: "busy"
        case .noAuthorities: "no-authorities"
        case .unknownName: "unknown-name"
        case .notPublic: "not-public"
        case .unreachable: "unreachable"
        case .notTrusted: "not-trusted"
        case .notHTTP: "not-http"
        case .status: "status"
        case .tooLarge: "too-large"
        case .cut: "cut"
        case .late: "late"
        }
    }
}
