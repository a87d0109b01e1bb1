import Domain
import HTTPServer
import Logging

extension ServerCertificate {
    /// Reads the certificate at the start.
    static func load(_ files: CertificateFiles) throws -> ServerCertificate {
        do { return try ServerCertificate(files, now: .now) } catch { throw CommandError(error.description) }
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
