import Domain
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

// What stays on disk because somebody sent it is counted in bytes, before anything is done with it. The bytes of what
// is refused, or is there already, are given back. They stay counted if the client leaves before the answer, because
// they may have been stored. Scores and donations are a few hundred bytes each and count in the limits of their
// requests; only a score's `detail` counts here.
//
// An event's network has no limit of its address here either, and a game's key has none. The bytes of each player count
// there too, and the reserve of the disk holds for all.
extension Responder {
    /// Counts bytes that a request would leave on disk for its address, and for whoever sends them.
    /// - Parameters:
    ///   - sender: Whose they are as well; nil when that is not known yet.
    ///   - body: Returns its value, and whether the bytes stay.
    /// - Throws: 429 when there are too many, before `body` has run.
    func storing<Value>(
        _ bytes: Int,
        of request: Request,
        by sender: BucketKey?,
        _ body: () async throws -> (value: Value, stays: Bool)
    ) async throws -> Value {
        try await charging(storingAddress(of: request), bytes, to: .addressStoredBytes) {
            try await charging(sender, bytes, to: .playerStoredBytes, body)
        }.value
    }

    /// Counts bytes in one limit.
    /// - Parameter subject: Nil counts nothing.
    func charging<Value>(
        _ subject: (some RateSubject)?,
        _ bytes: Int,
        to limit: RateLimit,
        _ body: () async throws -> (value: Value, stays: Bool)
    ) async throws -> (value: Value, stays: Bool) {
        guard rates.isOn, let subject else { return try await body() }
        try rates.count(subject, bytes, in: limit)
        do {
            let done = try await body()
            if !done.stays { rates.giveBack(subject, bytes, to: limit) }
            return done
        } catch {
            if Self.isRefusal(error) { rates.giveBack(subject, bytes, to: limit) }
            throw error
        }
    }

    /// Whether an error says for certain that nothing was done.
    static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is Problem, is FieldError, StoreError.overloaded: true
        default: false
        }
    }

    /// Records a score with a `detail`, which is kept beside it. Without one, or by a game's key, nothing counts. The
    /// reserve of the disk is for details too: a game that sends them could else post nothing.
    func storing(
        detail: String?,
        of request: Request,
        by credential: Credential,
        _ record: () async throws -> WriteBatcher.Recorded<ScoreReceipt>
    ) async throws -> WriteBatcher.Recorded<ScoreReceipt> {
        guard let detail, case .player(let token) = credential else { return try await record() }
        return try await storing(detail.utf8.count + Limits.noteRowBytes, of: request, by: BucketKey(token)) {
            let recorded = try await record()
            return (recorded, recorded.receipt.outcome == .recorded)
        }
    }

    /// The most that a registration or a change of a player leaves on disk: its row, texts, and a picture as it is
    /// kept.
    static func bytesOfProfile(in request: Request) -> Int {
        Limits.playerRowBytes + min(request.body.readableBytes, Limits.profileBytesMax)
    }

    /// Whose limit the bytes count in; nil where `address-*` counts nothing.
    func storingAddress(of request: Request) -> IPAddress? { clientAddress(of: request).flatMap(counted) }

    /// Whether the disk has room for more than scores and donations.
    var hasRoom: Bool { operations.reserve?.isReached != true }

    /// - Throws: 503 `full` when what is left of the disk is for scores and donations.
    func requireRoom() throws(Problem) {
        if !hasRoom { throw .full }
    }
}
