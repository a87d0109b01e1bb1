import ArgumentParser
import Configuration
import HTTP

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

    init(_ settings: Settings, _ options: TransportOptions, _ serving: ServeSettings) throws {
        let certificate = settings.text(options.tlsCertificate, "causeboard.tls.certificate")
        let key = settings.text(options.tlsKey, "causeboard.tls.key")
        switch (certificate, key) {
        case (let certificate?, let key?): self.certificate = CertificateFiles(certificate: certificate, key: key)
        case (nil, nil): self.certificate = nil
        case (_?, nil): throw CommandError("A certificate needs its key. Name it with --tls-key (CAUSEBOARD_TLS_KEY).")
        case (nil, _?):
            throw CommandError(
                "A key needs its certificate. Name it with --tls-certificate (CAUSEBOARD_TLS_CERTIFICATE).")
        }
        // No port is below 0, so the number stands for an absent one.
        let port = try settings.number(
            options.plainPort, "causeboard.plain.port", named: "--plain-port (CAUSEBOARD_PLAIN_PORT)", in: 0...65_535,
            standard: -1)
        plainPort = port < 0 ? nil : port
        if plainPort != nil, self.certificate == nil {
            throw CommandError(
                "--port is plain without a certificate. Leave --plain-port out, or give --tls-certificate.")
        }
        if let plainPort, plainPort != 0, plainPort == serving.port {
            throw CommandError("--port and --plain-port are both \(plainPort). Give two different ports.")
        }
        let redirects = try settings.isOn(
            options.tlsRedirect, "causeboard.tls.redirect", named: "CAUSEBOARD_TLS_REDIRECT")
        keepsBrowsersEncrypted =
            self.certificate != nil && serving.publicURL.map { PublicURL.isAtStandardPort($0) } ?? (serving.port == 443)
        httpsOnly = redirects ? HTTPSOnly(publicURL: serving.publicURL, port: serving.port) : nil
        if redirects { try checkRedirect(serving) }
    }

    private func checkRedirect(_ serving: ServeSettings) throws {
        if certificate != nil, plainPort == nil {
            throw CommandError("--tls-redirect redirects from the plain port. Give --plain-port too, or leave it out.")
        }
        let isPublicSecure = serving.publicURL?.lowercased().hasPrefix("https://") ?? false
        if certificate == nil, !isPublicSecure {
            throw CommandError(
                """
                --tls-redirect has no https to send clients to. Give --tls-certificate and --tls-key, \
                or the https address of the proxy in --public-url.
                """)
        }
    }
}

/// The options of TLS and of the ports of `serve`.
struct TransportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the server's certificate and its issuers', in PEM; then --port serves TLS. SIGHUP reads it \
            again. CAUSEBOARD_TLS_CERTIFICATE; none.
            """, valueName: "file")) var tlsCertificate: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate's private key, in PEM. CAUSEBOARD_TLS_KEY; none.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "With TLS, another port that serves without it. CAUSEBOARD_PLAIN_PORT; none.", valueName: "port"))
    var plainPort: Int?

    @Flag(
        help: """
            Send clients that come without TLS to https; the classic protocol and health stay plain. \
            CAUSEBOARD_TLS_REDIRECT.
            """) var tlsRedirect = false
}
