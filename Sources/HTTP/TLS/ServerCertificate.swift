package import Domain
package import NIOSSL
import Synchronization

/// The certificate that new connections use. It can be replaced while the server runs; connections that are open keep
/// theirs.
package final class ServerCertificate: Sendable {
    private let files: CertificateFiles
    private let current: Mutex<LoadedCertificate>

    package init(_ files: CertificateFiles, now: Instant) throws(CertificateError) {
        self.files = files
        current = Mutex(try files.load(now: now))
    }

    package var context: NIOSSLContext { current.withLock(\.context) }
    package var validUntil: Instant { current.withLock(\.validUntil) }

    /// Reads the files again. When they are broken, the former certificate stays.
    package func reload(now: Instant) throws(CertificateError) {
        let loaded = try files.load(now: now)
        current.withLock { $0 = loaded }
    }

    /// Whether the certificate should have been renewed by now.
    package func endsSoon(now: Instant) -> Bool {
        validUntil < now.advanced(bySeconds: Limits.certificateWarningDays * 86_400)
    }
}
