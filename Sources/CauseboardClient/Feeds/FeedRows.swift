import Contract
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A row of a feed.
public protocol FeedRow: Sendable {
    /// Nil when the fields make no such row.
    /// - Parameter fields: By their names, with `_` for `-`; empty ones are absent.
    init?(fields: [String: String])
}

/// The rows of a feed, while its bytes still arrive. However long the feed is, only the row that is being read and what
/// one reading of the network brought are in memory.
public struct FeedRows<Row: FeedRow>: AsyncSequence, Sendable {
    public typealias Element = Row
    public typealias Failure = CauseboardError

    /// Gives the bytes of the document one after another, then nil. It is called once for each iteration.
    let open: @Sendable () async throws(CauseboardError) -> @Sendable () async throws -> Data?

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(open: open) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let open: @Sendable () async throws(CauseboardError) -> @Sendable () async throws -> Data?
        private var next: (@Sendable () async throws -> Data?)?
        private var parser = FeedRowParser()
        private var rows: ArraySlice<FeedRowParser.Fields> = []
        private var hasEnded = false

        init(open: @escaping @Sendable () async throws(CauseboardError) -> @Sendable () async throws -> Data?) {
            self.open = open
        }

        /// - Throws: `.askAgain` when the feed ends early; `.giveUp` when it is no feed. The rows before were right.
        public mutating func next() async throws(CauseboardError) -> Row? {
            while true {
                if let fields = rows.popFirst() {
                    guard let row = Row(fields: fields) else {
                        hasEnded = true
                        throw .giveUp(.malformed, "The feed has other rows than were asked for.")
                    }
                    return row
                }
                if hasEnded { return nil }
                guard let chunk = try await chunk() else {
                    hasEnded = true
                    do { try parser.end() } catch { throw .askAgain(after: nil, .unreachable) }
                    return nil
                }
                do { rows = try parser.take(chunk)[...] } catch {
                    hasEnded = true
                    throw .giveUp(.malformed, "The feed cannot be read: \(error.reason).")
                }
            }
        }

        private mutating func chunk() async throws(CauseboardError) -> Data? {
            if next == nil { next = try await open() }
            do { return try await next?() } catch {
                hasEnded = true
                throw .askAgain(after: nil, .unreachable)
            }
        }
    }
}

extension FeedRows {
    /// The feed at a path of the server.
    init(_ connection: Connection, _ call: Call) {
        open = { () async throws(CauseboardError) in
            let opened: (response: HTTPURLResponse, chunks: BodyChunks)
            do { opened = try await connection.open(call) } catch { throw .askAgain(after: nil, .unreachable) }
            guard opened.response.statusCode == 200 else {
                var body = Data()
                while body.count < Limits.feedTextBytesMax, let chunk = try? await opened.chunks.next() {
                    body.append(chunk)
                }
                opened.chunks.cancel()
                throw CauseboardError(Answer(opened.response, body: body), now: Date())
            }
            let transfer = Transfer(opened.chunks)
            return { try await transfer.chunks.next() }
        }
    }
}

/// A transfer that is cancelled when nobody reads it any more.
private final class Transfer: Sendable {
    let chunks: BodyChunks

    init(_ chunks: BodyChunks) { self.chunks = chunks }

    deinit { chunks.cancel() }
}
