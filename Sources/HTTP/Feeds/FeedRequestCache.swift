import HTTPTypes
import Synchronization

/// Requests for feeds as they come, and which cached feed each one asks for, so that asking again takes neither parsing
/// nor choosing a format.
final class FeedRequestCache: Sendable {
    struct Entry: Sendable {
        /// The feed's, in the ``FeedCache``.
        let key: String
        let etag: String
        let response: Response.Prewritten
    }

    /// More make all of them be forgotten.
    private static let entriesMax = 4_096
    private static let bytesMax = 1_024

    private let entries = Mutex<[String: Entry]>([:])

    func find(_ request: Request) -> Entry? {
        let text = Self.text(of: request)
        return entries.withLock { $0[text] }
    }

    func keep(_ entry: Entry, for request: Request) {
        let text = Self.text(of: request)
        guard text.utf8.count <= Self.bytesMax else { return }
        entries.withLock { entries in
            if entries.count >= Self.entriesMax { entries = [:] }
            entries[text] = entry
        }
    }

    /// All of a request that a feed depends on.
    private static func text(of request: Request) -> String {
        "\(request.headers[.acceptEncoding] ?? "")\n\(request.headers[.accept] ?? "")\n\(request.target)"
    }
}

extension Responder {
    /// - Returns: Nil unless the feed was asked for in these words before, and nothing that it shows has changed.
    func cachedFeed(_ request: Request) -> Response? {
        guard request.method == .get, request.headers[.ifNoneMatch] == nil, let entry = feedRequests.find(request),
            let entity = feeds.find(entry.key), entity.etag == entry.etag
        else { return nil }
        return Response(entry.response, body: entity.body)
    }

    /// Remembers which feed a request has asked for.
    func remember(_ request: Request, for audience: Audience, of entity: Entity, key: String) {
        guard request.method == .get else { return }
        var response = entity.response(to: RequestHeaders())
        finish(&response, for: audience)
        feedRequests.keep(.init(key: key, etag: entity.etag, response: response.prewritten), for: request)
    }
}
