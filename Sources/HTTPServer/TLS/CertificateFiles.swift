package import Domain
import Glibc
import NIOCore
package import NIOSSL
import Synchronization

/// The files of a certificate and of its private key, in PEM.
package struct CertificateFiles: Sendable {
    /// The server's own certificate first, then those that lead to its issuer.
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads both files and checks that they serve now, and belong together.
    package func load(now: Instant) throws(CertificateError) -> LoadedCertificate {
        let chain = try certificates()
        guard let own = chain.first else { throw .noCertificate(certificate) }
        let (begin, end) = (Self.instant(own.notValidBefore), Self.instant(own.notValidAfter))
        guard now < end else { throw .expired(certificate, at: end) }
        guard begin <= now else { throw .notYetValid(certificate, until: begin) }
        let configuration = Self.configuration(chain, try privateKey())
        do { return LoadedCertificate(context: try NIOSSLContext(configuration: configuration), validUntil: end) } catch
        {
            // Both files were read; what BoringSSL still finds is that one does not belong to the other.
            throw .mismatch(certificate: certificate, key: key)
        }
    }

    private func certificates() throws(CertificateError) -> [NIOSSLCertificate] {
        let bytes = try Self.read(certificate)
        do { return try NIOSSLCertificate.fromPEMBytes(bytes) } catch { throw .noCertificate(certificate) }
    }

    private func privateKey() throws(CertificateError) -> NIOSSLPrivateKey {
        let bytes = try Self.read(key)
        // BoringSSL would ask for the passphrase on the terminal.
        guard !String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED") else { throw .encryptedKey(key) }
        do { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) } catch { throw .noKey(key) }
    }

    private static func configuration(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // HTTP/2 allows only these of TLS 1.2 (RFC 9113, appendix A); TLS 1.3 has no others.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = [HTTPVersion.two.alpnName, HTTPVersion.one.alpnName]
        configuration.shutdownTimeout = .seconds(Limits.tlsGoodbyeSeconds)
        return configuration
    }

    private static func instant(_ second: time_t) -> Instant {
        Instant(microsecondsSince1970: Int64(second).multipliedReportingOverflow(by: 1_000_000).partialValue)
    }

    /// Reads a whole file, with line ends that BoringSSL knows and without a byte order mark, before which it sees no
    /// certificate.
    private static func read(_ path: String) throws(CertificateError) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw .unreadable(path, errno: errno) }
        defer { fclose(file) }
        // One byte more than is allowed shows that there is more.
        var bytes = [UInt8](repeating: 0, count: Limits.certificateFileBytesMax + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw .unreadable(path, errno: errno) }
        guard count <= Limits.certificateFileBytesMax else { throw .tooLarge(path) }
        return TextLines.split(Array(bytes[..<count])).flatMap { $0 + [UInt8(ascii: "\n")] }
    }
}

/// A certificate with its key that new connections can use.
package struct LoadedCertificate: Sendable {
    package let context: NIOSSLContext
    package let validUntil: Instant
}

/// Why a certificate or its key cannot be used: a sentence for the administrator that says what to change.
package enum CertificateError: Error, Equatable, CustomStringConvertible {
    case unreadable(String, errno: Int32)
    case tooLarge(String)
    case noCertificate(String)
    case noKey(String)
    case encryptedKey(String)
    case mismatch(certificate: String, key: String)
    case expired(String, at: Instant)
    case notYetValid(String, until: Instant)

    package var description: String {
        switch self {
        case .unreadable(let file, ENOENT): "There is no file \(file). Name one that exists, in PEM."
        case .unreadable(let file, EACCES): "The file \(file) may not be read. Let the server's user read it."
        case .unreadable(let file, EISDIR): "\(file) is a directory. Name a file in it, in PEM."
        case .unreadable(let file, let errno):
            "The file \(file) cannot be read: \(String(cString: strerror(errno))). Name one that can."
        case .tooLarge(let file):
            "The file \(file) is larger than \(Limits.certificateFileBytesMax / 1024) KiB. Name one in PEM."
        case .noCertificate(let file):
            "The file \(file) has no certificate in PEM. Name one that begins with -----BEGIN CERTIFICATE-----."
        case .noKey(let file):
            "The file \(file) has no private key in PEM. Name one that begins with -----BEGIN PRIVATE KEY-----."
        case .encryptedKey(let file):
            "The key in \(file) is encrypted. Decrypt it with: openssl pkey -in \(file) -out FILE"
        case .mismatch(let certificate, let key):
            """
            The key in \(key) does not belong to the first certificate in \(certificate). \
            Name a pair, with the server's own certificate before its issuers'.
            """
        case .expired(let file, let instant):
            "The certificate in \(file) has expired at \(instant.rfc3339(.seconds)). Renew it."
        case .notYetValid(let file, let instant):
            """
            The certificate in \(file) is valid from \(instant.rfc3339(.seconds)) on. \
            Use another one until then, or set this machine's clock.
            """
        }
    }
}

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
