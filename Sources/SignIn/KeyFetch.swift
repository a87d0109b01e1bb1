import Domain
import FoundationEssentials
import Outgoing

/// An issuer's keys, and how long they are fresh.
struct FetchedKeys: Sendable {
    let set: KeySet
    let freshSeconds: Int64
}

/// Why an issuer's keys could not be fetched.
enum KeyFetchError: Error {
    case outgoing(OutgoingError)
    case keys(KeySetError)
    /// The issuer's configuration cannot be read, belongs to another issuer, or names no https address.
    case configuration

    /// For the log: one of a fixed set of words, without any text from outside.
    var reason: String {
        switch self {
        case .outgoing(let error): error.reason
        case .keys(let error): "keys-\(error.rawValue)"
        case .configuration: "configuration"
        }
    }
}

extension KeySource {
    func keys(by fetch: IssuerKeys.Fetch) async throws(KeyFetchError) -> FetchedKeys {
        let address: OutgoingURL
        switch self {
        case .address(let known): address = known
        case .configuration(let configuration, let issuer):
            address = try Self.address(in: try await Self.answer(configuration, fetch), of: issuer)
        }
        let answer = try await Self.answer(address, fetch)
        let seconds = Self.freshSeconds(answer.cacheControl)
        do throws(KeySetError) { return FetchedKeys(set: try KeySet(answer.body), freshSeconds: seconds) } catch {
            throw .keys(error)
        }
    }

    private static func answer(_ address: OutgoingURL, _ fetch: IssuerKeys.Fetch) async throws(KeyFetchError)
        -> OutgoingAnswer
    { do throws(OutgoingError) { return try await fetch(address) } catch { throw .outgoing(error) } }

    /// OpenID Connect Discovery, section 4.3: the issuer must be the one whose configuration was asked for.
    private static func address(in answer: OutgoingAnswer, of issuer: String) throws(KeyFetchError) -> OutgoingURL {
        guard let read = try? JSONDecoder().decode(Configuration.self, from: Data(answer.body)),
            read.issuer.utf8.elementsEqual(issuer.utf8), let address = OutgoingURL(read.keys)
        else { throw .configuration }
        return address
    }

    private struct Configuration: Decodable {
        let issuer: String
        let keys: String

        private enum CodingKeys: String, CodingKey {
            case issuer
            case keys = "jwks_uri"
        }
    }

    /// How long keys are fresh by a `Cache-Control` header, within ``Limits/keysFreshSeconds``.
    static func freshSeconds(_ cacheControl: String?) -> Int64 {
        let range = Limits.keysFreshSeconds
        guard let cacheControl else { return Limits.keysFreshSecondsStandard }
        let directives = cacheControl.utf8.prefix(1_024).split(separator: UInt8(ascii: ",")).map { part in
            String(decoding: part.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self).lowercased()
        }
        if directives.contains("no-store") || directives.contains("no-cache") { return range.lowerBound }
        let mark = "max-age="
        guard let age = directives.first(where: { $0.hasPrefix(mark) })?.dropFirst(mark.count) else {
            return Limits.keysFreshSecondsStandard
        }
        guard let seconds = Int64(age) else { return range.lowerBound }
        return min(max(seconds, range.lowerBound), range.upperBound)
    }
}
