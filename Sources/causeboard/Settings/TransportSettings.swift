import HTTP
import HTTPServer

/// How `serve` encrypts, and on which ports.
struct TransportSettings: Sendable {
    /// Nil serves without TLS.
    let certificate: CertificateFiles?
    /// The port without TLS beside the one with it; nil when there is none. 0 lets the system choose.
    let plainPort: Int?
    /// Whether responses tell browsers to use TLS from now on. Browsers then use TLS at every port of that name, and
    /// 443 instead of 80. So it is true only if https has its standard port, and never behind a proxy, which sends the
    /// header itself.
    let keepsBrowsersEncrypted: Bool
    /// Nil serves every route without encryption too.
    let httpsOnly: HTTPSOnly?

    /// What other commands than `serve` take it for.
    static let none = TransportSettings()

    private init() { (certificate, plainPort, keepsBrowsersEncrypted, httpsOnly) = (nil, nil, false, nil) }

    /// - Parameter port: The port that `--port` names.
    init(_ settings: Settings, port: Int, publicURL: String?) throws {
        let certificate = try settings.value(\.tlsCertificate)
        let key = try settings.value(\.tlsKey)
        switch (certificate, key) {
        case (let certificate?, let key?): self.certificate = CertificateFiles(certificate: certificate, key: key)
        case (nil, nil): self.certificate = nil
        case (_?, nil): throw CommandError("A certificate needs its key. Name it with --tls-key (CAUSEBOARD_TLS_KEY).")
        case (nil, _?):
            throw CommandError(
                "A key needs its certificate. Name it with --tls-certificate (CAUSEBOARD_TLS_CERTIFICATE).")
        }
        plainPort = try settings.value(\.plainPort)
        if plainPort != nil, self.certificate == nil {
            throw CommandError(
                "--port is plain without a certificate. Leave --plain-port out, or give --tls-certificate.")
        }
        if let plainPort, plainPort != 0, plainPort == port {
            throw CommandError("--port and --plain-port are both \(plainPort). Give two different ports.")
        }
        let redirects = try settings.value(\.tlsRedirect)
        keepsBrowsersEncrypted =
            self.certificate != nil && publicURL.map { PublicURL.isAtStandardPort($0) } ?? (port == 443)
        httpsOnly = redirects ? HTTPSOnly(publicURL: publicURL, port: port) : nil
        if redirects { try checkRedirect(publicURL) }
    }

    private func checkRedirect(_ publicURL: String?) throws {
        if certificate != nil, plainPort == nil {
            throw CommandError("--tls-redirect redirects from the plain port. Give --plain-port too, or leave it out.")
        }
        let isPublicSecure = publicURL?.lowercased().hasPrefix("https://") ?? false
        if certificate == nil, !isPublicSecure {
            throw CommandError(
                """
                --tls-redirect has no https to send clients to. Give --tls-certificate and --tls-key, \
                or the https address of the proxy in --public-url.
                """)
        }
    }
}
