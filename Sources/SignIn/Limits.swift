package import Domain

// Limits of ID tokens, and of the keys that verify them.
extension Limits {
    /// Bytes of an ID token as it is sent.
    package static let idTokenBytesMax = 8_192
    /// Bytes of its decoded header.
    static let idTokenHeaderBytesMax = 1_024
    /// Bytes of a key id.
    static let keyIDBytesMax = 256
    /// Bytes of an issuer's id of a player (OpenID Connect Core, section 2).
    static let subjectBytesMax = 255
    /// Keys of an issuer.
    static let keysOfIssuerMax = 32
    /// Bytes of the modulus of an RSA key: 2,048 to 4,096 bits.
    static let rsaModulusBytes = 256...512
    /// Bytes of the exponent of an RSA key.
    static let rsaExponentBytesMax = 4
    /// Issuers in the cache. The least recently used one is evicted.
    static let issuersMax = 256
    /// Concurrent fetches of keys.
    static let issuersFetchedMax = 4
    /// Callers that wait for keys of any issuer. Further ones are refused at once.
    static let keyWaitersMax = 1_024
    /// Bounds of how long keys are fresh, in seconds, and the value if the issuer does not say. The most leaves half of
    /// ``keysUsableSeconds`` for an issuer that is unreachable.
    static let keysFreshSeconds: ClosedRange<Int64> = 300...43_200
    static let keysFreshSecondsStandard: Int64 = 3_600
    /// How long after the last successful fetch stale keys are used, in seconds.
    static let keysUsableSeconds: Int64 = 86_400
    /// Seconds after a successful fetch before an unknown or stale key starts another one.
    static let keysRestSeconds: Int64 = 60
    /// The same after a fetch that failed.
    static let keysRetrySeconds: Int64 = 10
}
