import Domain
import HTTP
import Logging
import ServiceLifecycle

/// Warns once a day while the certificate should have been renewed, because a server may run for longer than its
/// certificate.
struct CertificateWatch: Service {
    let certificate: ServerCertificate
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(Limits.certificateCheckSeconds))
                certificate.warnIfItEndsSoon(logger)
            }
        }
    }
}
