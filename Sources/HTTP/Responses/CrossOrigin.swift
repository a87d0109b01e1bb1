import HTTPTypes

/// CORS for what pages of other sites may use. There are no cookies, so every origin is as good as any other.
enum CrossOrigin {
    static func open(_ response: inout Response) {
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] = "ETag, Date, Retry-After, Location, Idempotent-Replayed"
    }

    /// The answer to `OPTIONS`.
    static func preflight(allow: String) -> Response {
        Response(
            status: .noContent,
            headers: [
                .allow: allow, .accessControlAllowMethods: allow,
                .accessControlAllowHeaders: "Authorization, Content-Type, If-None-Match",
                .accessControlMaxAge: "86400",
            ]
        )
    }
}

extension HTTPField.Name {
    /// The response says again what was recorded before.
    static let idempotentReplayed: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotent-Replayed") else {
            preconditionFailure("Idempotent-Replayed is a field name by RFC 9110")
        }
        return name
    }()
}
