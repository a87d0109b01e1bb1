import enum Contract.ProblemName
import HTTPTypes

/// Keeps web pages away from the admin listener, which has no password: a browser on the operator's machine reaches it,
/// and so does every page that the browser shows.
package struct AdminGuard: Sendable {
    /// The name in `--admin-listen`, in lower case; nil when it is an address.
    private let hostName: String?

    /// - Parameter host: The host in `--admin-listen`.
    package init(host: String) {
        hostName = IPAddress(host) == nil ? host.lowercased() : nil
    }

    /// - Throws: 403 for a request that a page of another site may have caused.
    func check(_ request: Request) throws(Problem) {
        guard isOwnHost(request.headers[.host]) else { throw Problem.foreignHost }
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" {
            throw Problem.foreignSite
        }
        if let origin = request.headers[.origin], !isSame(origin, request.headers[.host]) { throw Problem.foreignSite }
    }

    /// A page whose name was made to resolve to this machine (DNS rebinding) sends that name. An address resolves to
    /// nothing else, and a request without `Host` comes from no browser.
    private func isOwnHost(_ header: String?) -> Bool {
        guard let header else { return true }
        guard let host = HostHeader(header)?.host else { return false }
        if IPAddress(host) != nil { return true }
        let name = host.lowercased()
        return name == "localhost" || name == hostName
    }

    private func isSame(_ origin: String, _ host: String?) -> Bool {
        guard let host, let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
        return origin.dropFirst(scheme.count).lowercased() == host.lowercased()
    }
}

extension HTTPField.Name {
    static let host = standard("Host")
    static let secFetchSite = standard("Sec-Fetch-Site")
}

extension Problem {
    static let foreignHost = Problem(
        .forbidden,
        "This listener is for operators. Ask for it by its IP address, as localhost, or by the name in --admin-listen."
    )
    static let foreignSite = Problem(
        .forbidden,
        "This listener answers no pages of other sites. Open it in the browser itself, or with another tool."
    )
}
