import Domain
import Foundation
import NIOSSL
import Testing

@testable import HTTP
@testable import HTTPServer

/// What is said of the files of a certificate and its key, and when they are read again.
@Suite struct CertificateFilesTests {
    private static let now = Instant(microsecondsSince1970: 1_800_000_000_000_000)

    @Test("a pair is loaded with the end of its certificate") func pair() throws {
        try withFiles { files in
            let loaded = try files.load(now: Self.now)
            #expect(loaded.validUntil > Self.now)
            #expect(loaded.context.configuration.minimumTLSVersion == .tlsv12)
            #expect(loaded.context.configuration.applicationProtocols == ["h2", "http/1.1"])
        }
    }

    @Test("the certificate may be followed by others, and only the first one must belong to the key") func chain()
        throws
    {
        let chain = TestCertificate.certificate + "\n" + TestCertificate.certificate
        try withFiles(certificate: chain) { files in
            let loaded = try files.load(now: Self.now)
            #expect(loaded.context.configuration.certificateChain.count == 2)
        }
    }

    @Test("files may come from an editor that marks them and ends lines in another way", arguments: ["\r\n", "\r"])
    func otherLines(end: String) throws {
        func edited(_ text: String) -> String { "\u{FEFF}" + text.replacing("\n", with: end) }
        let chain = TestCertificate.certificate + "\n" + TestCertificate.certificate
        try withFiles(certificate: edited(chain), key: edited(TestCertificate.key)) { files in
            let loaded = try files.load(now: Self.now)
            #expect(loaded.context.configuration.certificateChain.count == 2)
        }
    }

    @Test("each fault of the files has its own sentence") func faults() throws {
        try withFiles(key: TestCertificate.otherKey) { files in
            #expect(throws: CertificateError.mismatch(certificate: files.certificate, key: files.key)) {
                try files.load(now: Self.now)
            }
        }
        try withFiles(certificate: TestCertificate.key) { files in
            #expect(throws: CertificateError.noCertificate(files.certificate)) { try files.load(now: Self.now) }
        }
        try withFiles(certificate: "") { files in
            #expect(throws: CertificateError.noCertificate(files.certificate)) { try files.load(now: Self.now) }
        }
        try withFiles(key: TestCertificate.certificate) { files in
            #expect(throws: CertificateError.noKey(files.key)) { try files.load(now: Self.now) }
        }
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n"
        try withFiles(key: encrypted) { files in
            #expect(throws: CertificateError.encryptedKey(files.key)) { try files.load(now: Self.now) }
        }
        try withFiles(key: String(repeating: "x", count: Limits.certificateFileBytesMax + 1)) { files in
            #expect(throws: CertificateError.tooLarge(files.key)) { try files.load(now: Self.now) }
        }
        #expect(throws: CertificateError.unreadable("/nowhere/cert.pem", errno: ENOENT)) {
            try CertificateFiles(certificate: "/nowhere/cert.pem", key: "/nowhere/key.pem").load(now: Self.now)
        }
        #expect(throws: CertificateError.unreadable("/tmp", errno: EISDIR)) {
            try CertificateFiles(certificate: "/tmp", key: "/tmp").load(now: Self.now)
        }
    }

    @Test("a certificate serves from its first second on and not from its last one on") func validity() throws {
        try withFiles { files in
            let end = try files.load(now: Self.now).validUntil
            _ = try files.load(now: end.advanced(bySeconds: -1))
            #expect(throws: CertificateError.expired(files.certificate, at: end)) { try files.load(now: end) }
            let early = Instant(microsecondsSince1970: 0)
            let error = #expect(throws: CertificateError.self) { try files.load(now: early) }
            guard case .notYetValid = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("a broken file keeps the former certificate, and a good one replaces it") func reload() throws {
        try withFiles { files in
            let certificate = try ServerCertificate(files, now: Self.now)
            let first = certificate.context
            try Data(TestCertificate.otherKey.utf8).write(to: URL(fileURLWithPath: files.key))
            #expect(throws: CertificateError.self) { try certificate.reload(now: Self.now) }
            #expect(certificate.context === first)
            try Data(TestCertificate.key.utf8).write(to: URL(fileURLWithPath: files.key))
            try certificate.reload(now: Self.now)
            #expect(certificate.context !== first)
        }
    }

    @Test("a certificate is warned of two weeks before its end") func warning() throws {
        try withFiles { files in
            let certificate = try ServerCertificate(files, now: Self.now)
            let day: Int64 = 86_400
            #expect(!certificate.endsSoon(now: certificate.validUntil.advanced(bySeconds: -15 * day)))
            #expect(certificate.endsSoon(now: certificate.validUntil.advanced(bySeconds: -13 * day)))
        }
    }
}

/// Writes a certificate and a key to files of their own, which are removed afterwards.
func withFiles(
    certificate: String = TestCertificate.certificate, key: String = TestCertificate.key,
    _ body: (CertificateFiles) throws -> Void
) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("causeboard-tls-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = CertificateFiles(
        certificate: directory.appendingPathComponent("certificate.pem").path,
        key: directory.appendingPathComponent("key.pem").path)
    try Data(certificate.utf8).write(to: URL(fileURLWithPath: files.certificate))
    try Data(key.utf8).write(to: URL(fileURLWithPath: files.key))
    try body(files)
}

/// A key pair for tests alone, made for them and used nowhere else. The certificate is self-signed, for `test.invalid`,
/// and valid for a hundred years from 2026-11-22T08:00:00Z on.
enum TestCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBnjCCAUSgAwIBAgIUCjNaw5xNAp8knhbo8ehM7WjuXmAwCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMdGVzdC5pbnZhbGlkMCAXDTI2MTEyMjA4MjYzNloYDzIxMjYx
        MDI5MDgyNjM2WjAXMRUwEwYDVQQDDAx0ZXN0LmludmFsaWQwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAATi6WxZvxvQRCiSuSgP7DEA0keMi+eOylTovqB8IXlADKIQ
        t9apdIRo+64j4x4BFLSp+J04vOioKCLFc/R1KhUXo2wwajAdBgNVHQ4EFgQUg9kk
        JR9sA7cNyMhOt5lyRxTi8a0wHwYDVR0jBBgwFoAUg9kkJR9sA7cNyMhOt5lyRxTi
        8a0wDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggx0ZXN0LmludmFsaWQwCgYI
        KoZIzj0EAwIDSAAwRQIhAO5o4WQN8uBUgPL3+SD+S95F7zaXlie+TwrCur+71Gjn
        AiBU5vE/BC7t7SgfK4j8B1jCpt9kQJmbdQ3lgjwOQ9E+wg==
        -----END CERTIFICATE-----

        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSdKWwQPQu5lfJHX/
        M0PUtdRaTn8Yk2Y5JFnfdANeE++hRANCAATi6WxZvxvQRCiSuSgP7DEA0keMi+eO
        ylTovqB8IXlADKIQt9apdIRo+64j4x4BFLSp+J04vOioKCLFc/R1KhUX
        -----END PRIVATE KEY-----

        """

    /// The key of another certificate.
    static let otherKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5uSPETJ7h9ePqtbD
        WsZFXyW0AHr/4Lr5RQzdtgwMj7uhRANCAATft3IcGYlHdC3oEjbyMgfadY/Rieyp
        VDU/KA84i9OTe6zuXE8XXkAsBuvp5BS8Vh4mlMJ1mqf4zsKxAuCoiydz
        -----END PRIVATE KEY-----

        """
}
