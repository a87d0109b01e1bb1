import HTTPTypes
import Leaderboard
import Synchronization

/// What a request for a feed says, as it comes, and which kept feed that is: so that asking again takes neither parsing
/// nor choosing.
final class FeedRequestCache: Sendable {
    struct Address: Sendable {
        /// Of the feed, in the cache.
        let key: String
        let etag: String
        let response: Response.Kept
    }

    /// More make all of them be forgotten.
    private static let addressesMax = 4_096
    private static let bytesMax = 1_024

    private let addresses = Mutex<[String: Address]>([:])

    func find(_ text: String) -> Address? {
        addresses.withLock { $0[text] }
    }

    func keep(_ address: Address, as text: String) {
        guard text.utf8.count <= Self.bytesMax else { return }
        addresses.withLock { addresses in
            if addresses.count >= Self.addressesMax { addresses = [:] }
            addresses[text] = address
        }
    }

    /// All of a request that a feed depends on.
    static func text(of request: Request) -> String {
        "\(request.headers[.acceptEncoding] ?? "")\n\(request.headers[.accept] ?? "")\n\(request.target)"
    }
}

extension Responder {
    /// - Returns: Nil unless the feed was asked for in these words before, and nothing that it shows has changed.
    func cachedFeed(_ request: Request) -> Response? {
        guard request.method == .get, request.headers[.ifNoneMatch] == nil,
            let address = addresses.find(FeedRequestCache.text(of: request)), let entity = feeds.find(address.key),
            entity.etag == address.etag
        else { return nil }
        return Response(address.response, body: entity.body)
    }

    /// Remembers which feed a request has asked for.
    func keepAddress(_ request: Request, of entity: Entity, key: String) {
        guard request.method == .get else { return }
        var response = entity.response(to: RequestHeaders())
        finish(&response, isOpenToOtherSites: Route(path: request.path)?.isOpenToOtherSites ?? false)
        addresses.keep(
            .init(key: key, etag: entity.etag, response: response.kept),
            as: FeedRequestCache.text(of: request)
        )
    }
}
