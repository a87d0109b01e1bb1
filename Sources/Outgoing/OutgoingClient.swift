import Domain
package import HTTPServer
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Asks other servers over https, as an operator's settings say.
///
/// Names are looked up once for each request, and every address must be permitted. The connection goes to an address
/// that was checked, so a name that changes meanwhile leads nowhere else. TLS is verified by the name. Redirects are
/// not followed, and no proxy of the environment is used.
package final class OutgoingClient: Sendable {
    private let permit: AddressPermit
    private let lookup: NameLookup
    private let trustRoots: NIOSSLTrustRoots
    private let seconds: (connect: Int64, all: Int64)
    /// It is made for the first request, because it reads the machine's certificates of authorities.
    private let encryption = Mutex<NIOSSLContext?>(nil)
    private let running = Mutex(0)

    /// - Parameter networks: Networks that are not public and may be asked.
    package convenience init(allowing networks: [IPNetwork] = []) {
        self.init(permit: AddressPermit(allowing: networks), lookup: NameLookup(), trustRoots: .default)
    }

    /// - Parameter seconds: How long a connection, and a request as a whole, may take.
    init(
        permit: AddressPermit, lookup: NameLookup, trustRoots: NIOSSLTrustRoots,
        seconds: (connect: Int64, all: Int64) = (Limits.outgoingConnectSeconds, Limits.outgoingSeconds)
    ) { (self.permit, self.lookup, self.trustRoots, self.seconds) = (permit, lookup, trustRoots, seconds) }

    /// Gets a document.
    /// - Returns: An answer with status 200; its body has at most ``Limits/outgoingBodyBytesMax``.
    /// - Throws: Within ``Limits/outgoingSeconds`` when there is none.
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
            // One address that is not permitted refuses the name, whichever would have been tried.
            guard addresses.allSatisfy(permit.allows) else { return answer.fail(OutgoingError.notPublic) }
            exchange.connect(to: addresses.prefix(Limits.outgoingAddressesTried))
        }
        answer.futureResult.whenComplete { [self] _ in
            alarm.cancel()
            running.withLock { $0 -= 1 }
        }
    }
}

/// What another server answered.
package struct OutgoingAnswer: Sendable {
    package let body: [UInt8]
    /// Its `Cache-Control` header; nil without one.
    package let cacheControl: String?

    package init(body: [UInt8], cacheControl: String? = nil) { (self.body, self.cacheControl) = (body, cacheControl) }
}

/// Why another server gave no answer that can be used.
package enum OutgoingError: Error, Equatable {
    /// As many requests as may run are running.
    case busy
    /// The machine has no certificates of authorities.
    case noAuthorities
    /// The name has no address, or none can be found.
    case unknownName
    /// One of the name's addresses is private, and no setting allows it.
    case notPublic
    /// None of the addresses takes the connection.
    case unreachable
    /// No certificate of the name, or of an authority that is trusted.
    case notTrusted
    case notHTTP
    /// Another status than 200, such as a redirect.
    case status(Int)
    case tooLarge
    /// The connection ended before the answer did, or nobody waits for it any more.
    case cut
    case late

    /// For logs and labels of metrics: one of a few words, without anything that others wrote.
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
