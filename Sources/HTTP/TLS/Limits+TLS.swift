package import Domain

extension Limits {
    /// Seconds that a client has for the TLS handshake.
    package static let handshakeSeconds: Int64 = 10
    /// Seconds that a closing connection waits for the client to say goodbye in TLS.
    package static let tlsGoodbyeSeconds: Int64 = 2
    /// Bytes of a file with certificates or a key.
    package static let certificateFileBytesMax = 1024 * 1024
    /// Days before its end at which a certificate is warned of. Renewals come a month before the end.
    package static let certificateWarningDays: Int64 = 14
}
