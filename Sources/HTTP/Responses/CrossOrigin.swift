import HTTPTypes

/// CORS headers. The server uses no cookies, so it allows every origin.
enum CrossOrigin {
    static func open(_ response: inout Response) {
        response.headers[fields: .accessControlAllowOrigin] = everyOrigin
        response.headers[fields: .accessControlExposeHeaders] = exposedHeaders
    }

    private static let everyOrigin = [HTTPField(name: .accessControlAllowOrigin, value: "*")]
    private static let exposedHeaders = [
        HTTPField(
            name: .accessControlExposeHeaders,
            value: "ETag, Date, Retry-After, Location, Idempotent-Replayed, Request-Id"
        )
    ]

    /// The response to `OPTIONS`.
    static func preflight(allow: String) -> Response {
        Response(
            status: .noContent,
            headers: [
                .allow: allow, .accessControlAllowMethods: allow,
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Causeboard-Signature",
                .accessControlMaxAge: "86400",
            ]
        )
    }
}

extension HTTPField.Name {
    /// Present when the response repeats what was recorded before under the same id.
    static let idempotentReplayed = standard("Idempotent-Replayed")
    /// By which a player's token signs a request: `t=<unix seconds>,v1=<hex HMAC-SHA256>`.
    static let causeboardSignature = standard("Causeboard-Signature")
}
