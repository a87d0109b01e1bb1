package import Domain

// The bounds of tokens that sign players in, and of the keys that verify them.
extension Limits {
    /// Bytes of an ID token as it is sent.
    package static let idTokenBytesMax = 8_192
    /// Bytes of its decoded header.
    static let idTokenHeaderBytesMax = 1_024
    /// Bytes of the name of a key.
    static let keyIDBytesMax = 256
    /// Bytes of an issuer's id of a player (OpenID Connect Core, section 2).
    static let subjectBytesMax = 255
    /// Keys of an issuer.
    static let keysOfIssuerMax = 32
    /// Bytes of the modulus of an RSA key: 2,048 to 4,096 bits.
    static let rsaModulusBytes = 256...512
    /// Bytes of the exponent of an RSA key.
    static let rsaExponentBytesMax = 4
    /// Issuers whose keys are kept. The one that was used longest ago makes room for the next.
    static let issuersMax = 256
    /// Issuers whose keys are fetched at the same time.
    static let issuersFetchedMax = 4
    /// Callers that wait for keys, over all issuers. Further ones are refused at once.
    static let keyWaitersMax = 1_024
    /// Seconds for which keys are fresh, whatever the issuer says, and when it says nothing. The most leaves half of
    /// ``keysUsableSeconds`` for an issuer that is away.
    static let keysFreshSeconds: ClosedRange<Int64> = 300...43_200
    static let keysFreshSecondsStandard: Int64 = 3_600
    /// Seconds since the last good fetch for which keys are used while the issuer is away.
    static let keysUsableSeconds: Int64 = 86_400
    /// Seconds after a fetch before a key that is not known, or one that is not fresh, begins another one.
    static let keysRestSeconds: Int64 = 60
    /// The same after a fetch that failed.
    static let keysRetrySeconds: Int64 = 10
}
