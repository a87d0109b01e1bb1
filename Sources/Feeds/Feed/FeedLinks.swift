/// The settings from which links and Atom ids are made.
package struct FeedLinks: Sendable {
    /// The URL that the operator set with `--public-url`, without a slash at its end; when nil, all links are relative.
    package let publicURL: String?
    /// The authority of Atom ids, which are `tag:` URIs (RFC 4151). Ids outlive addresses, so it should not change with
    /// `publicURL`.
    package let tagAuthority: String
    /// Makes an opaque text of what identifies an Atom entry: equal texts stay equal, and nobody can guess one from the
    /// other.
    let entryKey: @Sendable (String) -> String

    /// - Parameters:
    ///   - publicURL: Slashes at its end are dropped; an empty text counts as nil.
    ///   - tagAuthority: A DNS name. Each installation needs its own, such as `<fingerprint>.causeboard.invalid`, or
    ///     the entries of two servers have the same ids. Characters that a DNS name cannot hold are dropped.
    ///   - entryKey: A keyed hash. Without one, entries whose rows have no key all have one id.
    package init(
        publicURL: String? = nil, tagAuthority: String = "causeboard.invalid",
        entryKey: @escaping @Sendable (String) -> String = { _ in "entry" }
    ) {
        self.entryKey = entryKey
        var address = Substring(publicURL ?? "")
        while address.hasSuffix("/") { address = address.dropLast() }
        self.publicURL = address.isEmpty ? nil : String(address)
        let authority = tagAuthority.lowercased().filter { Self.hostCharacters.contains($0) }
        self.tagAuthority = authority.isEmpty ? "causeboard.invalid" : authority
    }

    private static let hostCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-."

    /// Whether a link is a path on this server: `/a`, but not `//host` or `/\host`, which browsers take for another
    /// server.
    private static func isOwnPath(_ link: String) -> Bool {
        let second = link.utf8.dropFirst().first
        return link.utf8.first == UInt8(ascii: "/") && second != UInt8(ascii: "/") && second != UInt8(ascii: "\\")
    }

    /// The link as documents show it: a path on this server becomes absolute when the public URL is known; everything
    /// else stays as it is.
    package func resolved(_ link: String) -> String {
        guard let publicURL, Self.isOwnPath(link) else { return link }
        return publicURL + link
    }

    /// The resolved link if a browser may follow it: a path on this server, `http` or `https`. Nil for `javascript:`
    /// and the like.
    func followable(_ link: String) -> String? {
        let start = link.prefix(8).lowercased()
        return Self.isOwnPath(link) || start.hasPrefix("http://") || start == "https://" ? resolved(link) : nil
    }
}
