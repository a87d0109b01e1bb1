package import Domain
import Postgres

/// A provider of a game, as the admin API shows it.
package struct ProviderListing: Sendable, Equatable {
    package let slug: Slug
    package let provider: IdentityProvider
    /// It changes whenever a setting does.
    package let version: String
}

extension ProviderListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (slug, kind): (Slug, IdentityProvider.Kind) = (try row.next(), try row.next())
        let (audiences, issuer, keys): ([String], String?, String?) = try (row.next(), row.next(), row.next())
        // The table's constraints guarantee this.
        guard let provider = try? IdentityProvider(kind: kind, audiences: audiences, issuer: issuer, keys: keys) else {
            throw DecodingFailure(.outOfRange, IdentityProvider.self, from: String.oid)
        }
        self = ProviderListing(slug: slug, provider: provider, version: try row.next())
    }
}

extension OwnIdentity: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try OwnIdentity(provider: row.next(), linkedAt: row.next(), usedOn: row.next())
    }
}

extension IdentityProvider.Kind: PostgresValue {}
extension LinkOutcome: PostgresValue {}

/// The outcome of linking an identity to a player.
package enum LinkOutcome: String, Sendable {
    case linked
    /// The player has linked it before.
    case known
    /// Another player has linked it.
    case taken
    /// The player has another identity of the provider.
    case second
    /// The player has reached its limit of identities.
    case full
}

/// A change of a provider's settings.
package struct ProviderChange: Sendable {
    /// Nil to keep the current ones.
    package var audiences: [String]?
    package var keys: Patch<String>

    package init(audiences: [String]? = nil, keys: Patch<String> = .keep) {
        (self.audiences, self.keys) = (audiences, keys)
    }

    /// The changes, for the log. They contain no secrets.
    var values: [(String, SettingValue)] {
        let audiences = audiences.map { [("audiences", SettingValue.plain($0.joined(separator: ",")))] } ?? []
        return audiences + (keys.isGiven ? [("jwks", SettingValue(keys))] : [])
    }
}
