import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

// Bytes that a request would leave on disk are counted before the request is processed. They are returned if the
// request is refused or the data is already stored. They stay counted if the client disconnects before the answer,
// because the data may be stored. Scores and donations take a few hundred bytes each and have limits of their own; only
// a score's `detail` counts here.
//
// Event networks have no address limit here either, and a game's key has none. The limit of each player and the disk
// reserve still apply.
extension RequestRates {
    /// Counts bytes that a request would leave on disk, for its address and for the sender.
    /// - Parameters:
    ///   - sender: The sender, which is counted as well; nil if not known yet.
    ///   - body: Returns its value, and whether the bytes stay.
    /// - Throws: 429 before `body` has run, if a limit is exceeded.
    func storing<Value>(
        _ bytes: Int, of request: Request, by sender: BucketKey?, _ body: () async throws -> (value: Value, stays: Bool)
    ) async throws -> Value {
        try await charging(countedAddress(of: request), bytes, to: .addressStoredBytes) {
            try await charging(sender, bytes, to: .playerStoredBytes, body)
        }.value
    }

    /// Counts bytes towards one limit.
    /// - Parameter subject: Nil counts nothing.
    func charging<Value>(
        _ subject: (some RateSubject)?, _ bytes: Int, to limit: RateLimit,
        _ body: () async throws -> (value: Value, stays: Bool)
    ) async throws -> (value: Value, stays: Bool) {
        guard limiter.isOn, let subject else { return try await body() }
        try limiter.count(subject, bytes, in: limit)
        do {
            let done = try await body()
            if !done.stays { limiter.giveBack(subject, bytes, to: limit) }
            return done
        } catch {
            if Self.isRefusal(error) { limiter.giveBack(subject, bytes, to: limit) }
            throw error
        }
    }

    /// Whether the error proves that nothing was stored.
    static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is Problem, is FieldError, StoreError.crowded: true
        // A statement that was cancelled with its task may have been committed.
        case StoreError.overloaded: !Task.isCancelled
        default: false
        }
    }

    /// Records a score and counts its `detail`. Without one, or with a game's key, nothing counts. Details are accepted
    /// even from the disk reserve: a game that always sends them could not post otherwise.
    func storing(
        detail: String?, of request: Request, by credential: Credential,
        _ record: () async throws -> WriteBatcher.Recorded<ScoreReceipt>
    ) async throws -> WriteBatcher.Recorded<ScoreReceipt> {
        guard let detail, case .player(let token) = credential else { return try await record() }
        return try await storing(detail.utf8.count + Limits.noteRowBytes, of: request, by: owner(of: token)) {
            let recorded = try await record()
            return (recorded, recorded.receipt.outcome == .recorded)
        }
    }

    /// The most that a registration or a change of a player leaves on disk: its row, its texts, and the picture as
    /// stored.
    static func bytesOfProfile(in request: Request) -> Int {
        Limits.playerRowBytes + min(request.body.readableBytes, Limits.profileBytesMax)
    }

    /// Whose limit the bytes of a token count in: its player's, as soon as this process knows whose token it is.
    func owner(of token: TokenHash) -> BucketKey {
        rankings.findKnownPlayer(of: .token(token, claims: nil), posting: nil).map { BucketKey($0) } ?? BucketKey(token)
    }

    /// Whether the disk has space for more than scores and donations.
    var hasRoom: Bool { reserve?.isReached != true }

    /// - Throws: 503 `full` if only the reserve for scores and donations is left.
    func requireRoom() throws(Problem) { if !hasRoom { throw .full } }
}
