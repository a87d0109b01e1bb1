import HTTPServer
import HTTPTypes

/// CORS headers of routes that are open to pages of other sites. They allow every origin, because these routes read no
/// cookie: a page can send only what it knows itself. The console has a cookie, and gets none of these headers.
enum CrossOrigin {
    static func open(_ response: inout Response) {
        response.headers[fields: .accessControlAllowOrigin] = everyOrigin
        response.headers[fields: .accessControlExposeHeaders] = exposedHeaders
    }

    private static let everyOrigin = [HTTPField(name: .accessControlAllowOrigin, value: "*")]
    private static let exposedHeaders = [
        HTTPField(
            name: .accessControlExposeHeaders,
            value: "ETag, Date, Retry-After, Location, Idempotent-Replayed, Request-Id")
    ]

    /// The response to `OPTIONS`. It allows every header that a page asks to send, because tools of the page add some,
    /// such as `traceparent` or `X-Requested-With`, and these routes read no cookie.
    /// - Parameter asked: The value of `Access-Control-Request-Headers`, which has a bound as any header that is read.
    static func preflight(allow: String, asked: String?) -> Response {
        Response(
            status: .noContent,
            headers: [
                .allow: allow, .accessControlAllowMethods: allow,
                .accessControlAllowHeaders: (knownHeaders + names(in: asked ?? "")).joined(separator: ", "),
                .accessControlMaxAge: "86400", .vary: "Access-Control-Request-Headers",
            ])
    }

    /// The names of headers in a list, without those that are allowed anyway; none for what is no such list.
    private static func names(in list: String) -> [String] {
        var names: [String] = []
        for part in list.utf8.split(separator: UInt8(ascii: ",")) {
            // HTTPField takes tokens only (RFC 9110, section 5.1), so nothing else is sent back.
            let rest = part.drop(while: JSONScanner.isSpace)
            let end = rest.lastIndex { !JSONScanner.isSpace($0) }
            guard let text = end.flatMap({ String(rest[...$0]) }), let name = HTTPField.Name(text) else { return [] }
            names.append(name.canonicalName)
        }
        let known = Set(knownHeaders.map { $0.lowercased() })
        return Set(names).subtracting(known).sorted()
    }

    private static let knownHeaders = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Last-Event-ID", "Causeboard-Signature",
    ]
}

extension HTTPField.Name {
    /// Present when the response repeats what was recorded before under the same id.
    static let idempotentReplayed = standard("Idempotent-Replayed")
    /// By which a player's token signs a request: `t=<unix seconds>,v1=<hex HMAC-SHA256>`.
    static let causeboardSignature = standard("Causeboard-Signature")
}
