import HTTPTypes
import Synchronization

/// Remembers which cached feed each request text asked for, so that a repeated request needs neither parsing nor a
/// choice of format.
final class FeedRequestCache: Sendable {
    struct Entry: Sendable {
        /// The feed's key in the ``FeedCache``.
        let key: String
        let etag: String
        let response: Response.Prewritten
    }

    /// One entry more drops them all.
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

    /// Everything in a request that decides which feed answers it.
    private static func text(of request: Request) -> String {
        "\(request.headers[.acceptEncoding] ?? "")\n\(request.headers[.accept] ?? "")\n\(request.target)"
    }
}

extension Responder {
    /// The response to a request that was sent before in exactly these words.
    /// - Returns: Nil unless that feed is cached, current and the same as then.
    func cachedFeed(_ request: Request) -> Response? {
        guard request.method == .get, request.peer.listener == .open, request.headers[.ifNoneMatch] == nil,
            let entry = feedRequests.find(request), let entity = feeds.find(entry.key), entity.etag == entry.etag
        else { return nil }
        return Response(entry.response, body: entity.body)
    }

    /// Remembers which feed answers a request.
    func remember(_ request: Request, for audience: Audience, of entity: Entity, key: String) {
        guard request.method == .get else { return }
        var response = entity.response(to: RequestHeaders())
        finish(&response, for: audience)
        feedRequests.keep(.init(key: key, etag: entity.etag, response: response.prewritten), for: request)
    }
}
