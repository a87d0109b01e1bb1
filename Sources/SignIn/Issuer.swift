package import Domain
package import Outgoing

/// The issuer of a provider's ID tokens: its name, and where its keys are.
package struct Issuer: Sendable, Hashable {
    /// The canonical name, under which identities are stored. An issuer with two spellings needs one name, or one
    /// person would have two identities.
    package let name: String
    /// The values that `iss` may have.
    let spellings: [String]
    package let keys: KeySource
    /// Whether `azp` may name another app of the same owner if there is one audience. Google's Android library requests
    /// a token for the game's server on behalf of the game's app. Google checks that both belong to one project.
    let namesOwnAppsAsParty: Bool

    /// - Throws: ``FieldError`` for an invalid address of the kind oidc.
    package init(of provider: IdentityProvider) throws(FieldError) {
        switch provider.kind {
        case .apple: self = Self.apple
        case .google: self = Self.google
        case .facebook: self = Self.facebook
        case .oidc: self = try Issuer(provider.issuer ?? "", keys: provider.keys)
        }
    }

    private init(_ issuer: String, keys: String?) throws(FieldError) {
        guard let address = OutgoingURL(issuer), !address.target.contains("?") else {
            throw FieldError("issuer", "issuer is \(OutgoingURL.rule), without a query.")
        }
        let source: KeySource
        if let keys {
            guard let address = OutgoingURL(keys) else { throw FieldError("jwks", "jwks is \(OutgoingURL.rule).") }
            source = .address(address)
        } else {
            // OpenID Connect Discovery, section 4.1.
            let base = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
            guard let configuration = OutgoingURL(base + "/.well-known/openid-configuration") else {
                throw FieldError("issuer", "issuer is too long to find its configuration. Send jwks too.")
            }
            source = .configuration(configuration, of: issuer)
        }
        self.init(name: issuer, spellings: [issuer], keys: source)
    }

    private init(name: String, spellings: [String], keys: KeySource, namesOwnAppsAsParty: Bool = false) {
        (self.name, self.spellings, self.keys) = (name, spellings, keys)
        self.namesOwnAppsAsParty = namesOwnAppsAsParty
    }

    private static let apple = Issuer(
        name: "https://appleid.apple.com", spellings: ["https://appleid.apple.com"],
        keys: known("https://appleid.apple.com/auth/keys"))

    private static let google = Issuer(
        name: "https://accounts.google.com", spellings: ["https://accounts.google.com", "accounts.google.com"],
        keys: known("https://www.googleapis.com/oauth2/v3/certs"), namesOwnAppsAsParty: true)

    private static let facebook = Issuer(
        name: "https://www.facebook.com", spellings: ["https://www.facebook.com", "https://limited.facebook.com"],
        keys: known("https://limited.facebook.com/.well-known/oauth/openid/jwks/"))

    private static func known(_ text: String) -> KeySource {
        guard let address = OutgoingURL(text) else { preconditionFailure("\(text) is an address") }
        return .address(address)
    }
}

extension Issuer {
    /// Fetches the keys once, to check the provider.
    /// - Returns: Why that failed, in a few words; nil if it succeeded.
    package func trouble(by fetch: IssuerKeys.Fetch) async -> String? {
        do throws(KeyFetchError) {
            _ = try await keys.keys(by: fetch)
            return nil
        } catch { return error.reason }
    }
}

/// Where an issuer's keys are. Providers with the same source share its keys, also across games.
package enum KeySource: Sendable, Hashable {
    case address(OutgoingURL)
    /// The issuer's configuration names the address. It must belong to that issuer.
    case configuration(OutgoingURL, of: String)

    /// The address that is fetched first, for metrics.
    var address: String {
        switch self {
        case .address(let address), .configuration(let address, _): "\(address)"
        }
    }

    /// Its host, for the log.
    package var host: String {
        switch self {
        case .address(let address), .configuration(let address, _): address.host
        }
    }
}
