import Concurrency
import Domain
import Glibc
import HTTPServer
import HTTPTypes
import Leaderboard
import Synchronization

/// Remembers which cached feed each request text asked for, so that a repeated request needs neither parsing nor a
/// choice of format.
///
/// The cache is bounded in bytes. What is requested again stays when strangers fill it with other texts, because
/// ``GenerationalCache`` drops what was not used lately.
final class FeedRequestCache: Sendable {
    struct Entry: Sendable {
        /// The feed's key in the ``FeedCache``.
        let key: String
        let etag: String
        let response: Response.Prewritten
        /// The route that made it.
        var route: (any ServedRoute)?
    }

    /// Everything in a request that decides which feed answers it, by its bytes. It is hashed before the lock is taken.
    private struct Key: Hashable {
        let target: String
        let accept: String
        let acceptEncoding: String
        /// Empty where feeds are, which are in no language.
        let acceptLanguage: String
        private let digest: Int

        /// Nil for a text that is too long, of which nothing is hashed.
        init?(_ request: Request) {
            target = request.target
            accept = request.headers[.accept] ?? ""
            acceptEncoding = request.headers[.acceptEncoding] ?? ""
            acceptLanguage = target.utf8.starts(with: "/v1/".utf8) ? "" : request.headers[.acceptLanguage] ?? ""
            let bytesCount =
                target.utf8.count + accept.utf8.count + acceptEncoding.utf8.count + acceptLanguage.utf8.count
            guard bytesCount <= Limits.feedRequestBytesMax else { return nil }
            var hasher = Hasher()
            Self.hash(target, into: &hasher)
            Self.hash(accept, into: &hasher)
            Self.hash(acceptEncoding, into: &hasher)
            Self.hash(acceptLanguage, into: &hasher)
            digest = hasher.finalize()
        }

        var bytesCount: Int {
            target.utf8.count + accept.utf8.count + acceptEncoding.utf8.count + acceptLanguage.utf8.count
        }

        func hash(into hasher: inout Hasher) { hasher.combine(digest) }

        static func == (first: Key, second: Key) -> Bool {
            first.digest == second.digest && isSame(first.target, second.target) && isSame(first.accept, second.accept)
                && isSame(first.acceptEncoding, second.acceptEncoding)
                && isSame(first.acceptLanguage, second.acceptLanguage)
        }

        // A String hashes and compares by its normalized form, which a hostile text makes slow.

        private static func hash(_ text: String, into hasher: inout Hasher) {
            text.withBytes { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            }
        }

        private static func isSame(_ first: String, _ second: String) -> Bool {
            first.withBytes { bytes in
                second.withBytes { others in
                    guard bytes.count == others.count else { return false }
                    guard let start = bytes.baseAddress, let other = others.baseAddress else { return true }
                    return memcmp(start, other, bytes.count) == 0
                }
            }
        }
    }

    private struct Kept: CacheSized {
        let entry: Entry
        let bytesInCache: Int

        init(_ entry: Entry, for key: Key) {
            self.entry = entry
            bytesInCache = key.bytesCount + entry.key.utf8.count + entry.response.bytesCount + Self.overheadBytes
        }

        /// Bytes of the values that hold all of them, and of the response's fields, which are there a second time.
        private static let overheadBytes = 1_024
    }

    private let entries = Mutex(GenerationalCache<Key, Kept>(bytesMax: Limits.feedRequestsBytesMax))

    func find(_ request: Request) -> Entry? {
        guard let key = Key(request) else { return nil }
        return entries.withLock { $0.find(key) }.value?.entry
    }

    func keep(_ entry: Entry, for request: Request) {
        guard let key = Key(request) else { return }
        // What is dropped is freed after the lock is released.
        _ = entries.withLock { $0.set(Kept(entry, for: key), for: key) }
    }
}

extension FeedServer {
    /// The response to a request that was sent before in exactly these words.
    /// - Returns: The response and its route; nil unless that feed is cached, current and the same as then.
    func cachedFeed(_ request: Request) -> (response: Response, route: (any ServedRoute)?)? {
        guard request.method == .get, request.peer.listener == .open, request.headers[.ifNoneMatch] == nil,
            let entry = requests.find(request), let entity = cache.find(entry.key), entity.etag == entry.etag
        else { return nil }
        return (Response(entry.response, body: entity.body), entry.route)
    }

    /// Remembers which feed answers a request.
    func remember(_ request: Request, at route: any ServedRoute, of entity: Entity, key: String) {
        guard request.method == .get else { return }
        var response = entity.response(to: RequestHeaders())
        response.finish(for: route.audience)
        requests.keep(.init(key: key, etag: entity.etag, response: response.prewritten, route: route), for: request)
    }
}
