import NIOSSL

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
