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

extension ServerCertificate {
    /// Reads the certificate at the start, and warns when it should have been renewed.
    static func load(_ files: CertificateFiles, logger: Logger) throws -> ServerCertificate {
        do {
            let certificate = try ServerCertificate(files, now: .now)
            certificate.warnIfItEndsSoon(logger)
            return certificate
        } catch { throw CommandError(error.description) }
    }

    /// Reads the certificate again. A broken one is logged, and the former one stays.
    func reload(logger: Logger) {
        do {
            try reload(now: .now)
            logger.info("new connections use the certificate that was read now", metadata: metadata)
            warnIfItEndsSoon(logger)
        } catch { logger.error("the certificate stays as it was: \(error)", metadata: metadata) }
    }

    private var metadata: Logger.Metadata { ["valid-until": "\(validUntil.rfc3339(.seconds))"] }

    /// Warns when the certificate should have been renewed by now.
    func warnIfItEndsSoon(_ logger: Logger) {
        guard endsSoon(now: .now) else { return }
        if validUntil <= .now {
            return logger.error(
                "the certificate has ended and clients refuse it: renew it, then send SIGHUP to this server",
                metadata: metadata)
        }
        logger.warning("the certificate ends soon: renew it, then send SIGHUP to this server", metadata: metadata)
    }
}
