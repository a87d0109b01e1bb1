import enum Contract.ProblemName
import HTTPServer
import HTTPTypes

/// Keeps web pages away from the admin listener, which has no password: a browser on the operator's machine reaches it,
/// and so does every page that the browser shows.
package struct AdminGuard: Sendable {
    /// The name in `--admin-listen`, in lower case; nil when it is an address.
    private let hostName: String?

    /// - Parameter host: The host in `--admin-listen`.
    package init(host: String) { hostName = IPAddress(host) == nil ? host.lowercased() : nil }

    /// - Throws: 403 for a request that a page of another site may have caused.
    func check(_ request: Request) throws(Problem) {
        guard isOwnHost(request.headers[.host]) else { throw Problem.foreignHost }
        if request.isSaidToBeForeign == true || request.hasForeignOrigin == true { throw Problem.foreignSite }
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

}

extension Request {
    // What a browser says of the page that has caused the request. The bytes are compared, because comparing a hostile
    // String takes time that grows with the square of its length.

    /// Whether `Sec-Fetch-Site` says that it is a page of another site; nil without the header.
    var isSaidToBeForeign: Bool? {
        headers[.secFetchSite].map { site in !Self.ownSites.contains { $0.utf8.elementsEqual(site.utf8) } }
    }

    /// Whether `Origin` names another host than `Host`; nil without the header.
    var hasForeignOrigin: Bool? {
        guard let origin = headers[.origin] else { return nil }
        guard let host = headers[.host], let scheme = Self.schemes.first(where: { origin.utf8.starts(with: $0.utf8) })
        else { return true }
        let named = Substring(origin.utf8.dropFirst(scheme.utf8.count))
        return !named.utf8.elementsEqual(host.utf8, by: Self.areEqualIgnoringCase)
    }

    private static let ownSites = ["same-origin", "none"]
    private static let schemes = ["http://", "https://"]

    private static func areEqualIgnoringCase(_ one: UInt8, _ other: UInt8) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return one == other || one ^ other == 0x20 && letters.contains(one | 0x20)
    }
}

extension HTTPField.Name {
    static let host = standard("Host")
    static let secFetchSite = standard("Sec-Fetch-Site")
}

extension Problem {
    static let foreignHost = Problem(
        .forbidden,
        "This listener is for operators. Ask for it by its IP address, as localhost, or by the name in --admin-listen.")
    static let foreignSite = Problem(
        .forbidden,
        "This listener answers no pages of other sites. Open it in the browser itself, or with another tool.")
}
