import ArgumentParser

/// The options of TLS and of the ports of `serve`.
struct TransportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the server's certificate and its issuers', in PEM; then --port serves TLS. SIGHUP reads it \
            again. CAUSEBOARD_TLS_CERTIFICATE; none.
            """,
            valueName: "file"
        )
    ) var tlsCertificate: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate's private key, in PEM. CAUSEBOARD_TLS_KEY; none.",
            valueName: "file"
        )
    ) var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "With TLS, another port that serves without it. CAUSEBOARD_PLAIN_PORT; none.",
            valueName: "port"
        )
    ) var plainPort: Int?

    @Flag(
        help: """
            Send clients that come without TLS to https; the classic protocol and health stay plain. \
            CAUSEBOARD_TLS_REDIRECT.
            """
    ) var tlsRedirect = false
}
