import Domain
import HTTPServer
import HTTPTypes

/// Sends clients that came without encryption to the encrypted address. The classic protocol and health stay plain,
/// as their clients know nothing else.
package struct HTTPSOnly: Sendable {
    /// The encrypted address without a final slash; nil makes it of the request's `Host`.
    private let base: String?
    /// The port of the encrypted address when it is made of `Host`; 443 is left out.
    private let port: Int

    /// - Parameter publicURL: It is used when it is an https address.
    package init(publicURL: String?, port: Int) {
        let scheme = "https://"
        let start = publicURL.map { Substring($0.utf8.prefix(scheme.utf8.count)) }
        let isSecure = start?.isEqual(toLowercased: scheme) ?? false
        base = isSecure ? publicURL.map { $0.last == "/" ? String($0.dropLast()) : $0 } : nil
        self.port = port
    }

    /// The encrypted address of what a request asks for; nil when its `Host` is no host, or its target no path.
    fileprivate func address(of request: Request) -> String? {
        guard request.target.utf8.first == UInt8(ascii: "/") else { return nil }
        if let base { return base + request.target }
        guard let host = request.headers[.host].flatMap(HostHeader.init)?.ofURL else { return nil }
        return "https://\(host)\(port == 443 ? "" : ":\(port)")\(request.target)"
    }
}

extension Responder {
    /// The redirection of a request that has to come encrypted. A trusted proxy may say that it did of the connection
    /// before it.
    /// - Returns: Nil when the request is answered as usual.
    /// - Throws: 403 when it cannot be redirected, because what it carries has been seen on its way.
    func redirect(toHTTPS request: Request) throws(Problem) -> Response? {
        guard let httpsOnly, request.peer.listener == .open, !rates.client(of: request).isSecure else { return nil }
        let match = find(request)
        let audience = match?.route.audience ?? Routes.audience(near: request.path)
        if audience.isClassic || audience == .healthChecks { return nil }
        let reads = request.method == .get || request.method == .head
        guard reads, let address = httpsOnly.address(of: request) else {
            guard reads || audience == .v1 || audience == .admin || audience == .console else { return nil }
            throw .httpsOnly
        }
        var response = Response(
            status: .permanentRedirect,
            headers: [.location: address, .cacheControl: "no-store", .requestID: operations.requestIDs.id(of: request)])
        response.finish(for: audience)
        return response
    }
}
