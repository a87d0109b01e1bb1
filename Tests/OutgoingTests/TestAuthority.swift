import NIOSSL

/// An authority of certificates and what it issued, for tests alone, made for them and used nowhere else. All
/// certificates have one key. All but one are valid for a hundred years from 2026-11-28 on.
enum TestAuthority {
    /// It is trusted where a test says so.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBmTCCAT+gAwIBAgIUT016GH2ttcCM99fJ+ESHvaBEsiswCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOdGVzdCBhdXRob3JpdHkwIBcNMjYxMTI4MTk0MTM4WhgPMjEy
        NjExMDQxOTQxMzhaMBkxFzAVBgNVBAMMDnRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAEUh0s3usjy27lZFh52CWjPwX0zlm2L7hOWXRHoU4O
        k4xwoDJiZyXqos9t/bfVPIIJkpLGKwFoREdrSqecCaBAjaNjMGEwHQYDVR0OBBYE
        FMvCLQ69ZO6JrHDWFGQKf/cbbTv/MB8GA1UdIwQYMBaAFMvCLQ69ZO6JrHDWFGQK
        f/cbbTv/MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49
        BAMCA0gAMEUCICUwKWQ+V0SsGRsQquWaqm+8kSNHD3+nQizLNrirTV/xAiEAyYBQ
        YA6LLxPuuF1zAthNL4LiXaJCFOIhr3jLoZifq8c=
        -----END CERTIFICATE-----
        """

    /// For `issuer.example`.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBpzCCAU6gAwIBAgIUBF5h7nnbMcBvfXfTyFQ4r1EPCAYwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOdGVzdCBhdXRob3JpdHkwIBcNMjYxMTI4MTk0MTM4WhgPMjEy
        NjExMDQxOTQxMzhaMBkxFzAVBgNVBAMMDmlzc3Vlci5leGFtcGxlMFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAE1j3vtVyp31KPDpIdR658Pxrh5YpbbkXTI9MEbwRI
        QquwMSiwkge12OE9rpSELm8T+QQl8I6LTieuQvEZcSNjbqNyMHAwGQYDVR0RBBIw
        EIIOaXNzdWVyLmV4YW1wbGUwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYE
        FC/rPGDCEkOUHHNMb+s9Vq4uvccMMB8GA1UdIwQYMBaAFMvCLQ69ZO6JrHDWFGQK
        f/cbbTv/MAoGCCqGSM49BAMCA0cAMEQCIGMDnOdSeETtmUfCu37ymqkiqdTuwJAy
        JPBg/wCBNJPzAiBd9vxKdndnEP/urHtBva4PZOC49oX0KvGys+GcURzSgg==
        -----END CERTIFICATE-----
        """

    /// For `other.example`.
    static let othersCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBpTCCAUygAwIBAgIUBF5h7nnbMcBvfXfTyFQ4r1EPCAcwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOdGVzdCBhdXRob3JpdHkwIBcNMjYxMTI4MTk0MTM4WhgPMjEy
        NjExMDQxOTQxMzhaMBgxFjAUBgNVBAMMDW90aGVyLmV4YW1wbGUwWTATBgcqhkjO
        PQIBBggqhkjOPQMBBwNCAATWPe+1XKnfUo8Okh1Hrnw/GuHliltuRdMj0wRvBEhC
        q7AxKLCSB7XY4T2ulIQubxP5BCXwjotOJ65C8RlxI2Nuo3EwbzAYBgNVHREEETAP
        gg1vdGhlci5leGFtcGxlMBMGA1UdJQQMMAoGCCsGAQUFBwMBMB0GA1UdDgQWBBQv
        6zxgwhJDlBxzTG/rPVauLr3HDDAfBgNVHSMEGDAWgBTLwi0OvWTuiaxw1hRkCn/3
        G207/zAKBggqhkjOPQQDAgNHADBEAiAjtT4Qr6Qkao0u+i7maxK3cbJyLLKaVK4L
        3vRsN80sQwIgRI1TKx3aYIJVKSLQKgdwx7gioAot/TrFFSEQvGyLu8o=
        -----END CERTIFICATE-----
        """

    /// For `issuer.example`, until 2021.
    static let expiredCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBkzCCATmgAwIBAgIBEDAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA50ZXN0IGF1
        dGhvcml0eTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMBkxFzAVBgNV
        BAMMDmlzc3Vlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1j3v
        tVyp31KPDpIdR658Pxrh5YpbbkXTI9MEbwRIQquwMSiwkge12OE9rpSELm8T+QQl
        8I6LTieuQvEZcSNjbqNyMHAwGQYDVR0RBBIwEIIOaXNzdWVyLmV4YW1wbGUwEwYD
        VR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFC/rPGDCEkOUHHNMb+s9Vq4uvccM
        MB8GA1UdIwQYMBaAFMvCLQ69ZO6JrHDWFGQKf/cbbTv/MAoGCCqGSM49BAMCA0gA
        MEUCIBSCMIgdi8OsI4tnPlI1bFpZLCC39oadgcvvJYVqaWm9AiEA6J4VBw7vIvZt
        KUDpJrPPVAOb26wNKn4libyBlxf5UiA=
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQhPsgLM+lVXPHZZS
        tlUuyA1d9Y609NjrKzNox3sFjKWhRANCAATWPe+1XKnfUo8Okh1Hrnw/GuHliltu
        RdMj0wRvBEhCq7AxKLCSB7XY4T2ulIQubxP5BCXwjotOJ65C8RlxI2Nu
        -----END PRIVATE KEY-----
        """

    static func trusted() throws -> NIOSSLTrustRoots {
        .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
    }
}
