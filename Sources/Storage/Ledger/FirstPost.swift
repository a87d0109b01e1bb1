package import Domain
import Postgres

/// The outcome of a first post.
package enum FirstPost: Sendable {
    /// The receipt of the score. The device's player was registered by this call or by a concurrent one.
    case recorded(ScoreReceipt)
    /// The score was refused, so no player was registered.
    case refused(ScoreReceipt)
    /// No player was registered, so nothing was recorded.
    case unregistered(RegistrationOutcome)
}

extension Store {
    /// Registers the player of a device and records a first score, both or neither, in one transaction.
    /// - Parameters:
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:now:)``.
    ///   - score: Makes the score once the player's id is known. It may be called more than once.
    package func registerAndRecord(
        _ registration: Registration,
        device: DeviceHash,
        in game: Game,
        marker: String?,
        now: Instant,
        score: (Player.ID) -> NewScore
    ) async throws(StoreError) -> FirstPost {
        let register = PlayerRegister(
            device: device,
            game: game.slug,
            access: .classic,
            registration: registration,
            expected: nil,
            now: now,
            updatesKnown: false
        )
        return try await redrawing { () async throws(StoreError) in
            let claim = DeviceClaim(
                device: device,
                candidates: Self.playerIDs(in: game.slug),
                now: now,
                mayRegister: registration.name != nil,
                token: nil
            )
            do throws(Undone) {
                return try await ledgerPool.withConnection { connection throws(Undone) in
                    try await connection.transaction { connection throws(Undone) in
                        let post: FirstPost
                        do throws(PostgresError) {
                            post = try await Self.firstPost(
                                on: connection,
                                claim,
                                register,
                                marker: marker,
                                now: now,
                                score: score
                            )
                        } catch {
                            throw .failed(error)
                        }
                        guard case .recorded = post else { throw .refused(post) }
                        return post
                    }
                }
            } catch {
                switch error {
                case .failed(let error): throw failure(error)
                case .refused(let post): return post
                }
            }
        }
    }

    private static func firstPost(
        on connection: Connection,
        _ claim: DeviceClaim,
        _ register: PlayerRegister,
        marker: String?,
        now: Instant,
        score: (Player.ID) -> NewScore
    ) async throws(PostgresError) -> FirstPost {
        let (_, _, outcomes) = try await connection.pipeline(
            claim,
            CallersLock(callers: [.device(claim.device)]),
            register
        )
        let player: Player.ID
        switch outcomes.first {
        case .registered(let made), .known(let made): player = made.id
        case .some(let outcome): return .unregistered(outcome)
        case nil: return .unregistered(.nameMissing)
        }
        let (_, receipts) = try await connection.pipeline(
            CallersResolve(callers: [.player(player)], marker: marker),
            ScoreBatch(scores: [score(player)], now: now, isRepeated: false)
        )
        guard let receipt = receipts.first else { return .unregistered(.nameMissing) }
        switch receipt.outcome {
        case .recorded, .retry: return .recorded(receipt)
        default: return .refused(receipt)
        }
    }
}

/// Why a transaction is rolled back: PostgreSQL failed, or the post was refused.
private enum Undone: PostgresErrorConvertible {
    case failed(PostgresError)
    case refused(FirstPost)

    init(_ error: PostgresError) {
        self = .failed(error)
    }
}
