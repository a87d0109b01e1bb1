import Concurrency
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

    fileprivate init(_ receipt: ScoreReceipt) {
        switch receipt.outcome {
        case .recorded, .retry: self = .recorded(receipt)
        default: self = .refused(receipt)
        }
    }
}

extension Store {
    /// Registers the player of a device and records a first score, both or neither, in one transaction.
    /// - Parameters:
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:now:)``.
    ///   - score: Makes the score once the player's id is known. It may be called more than once.
    package func registerAndRecord(
        _ registration: Registration, device: DeviceHash, in game: Game, marker: String?, now: Instant,
        score: (Player.ID) -> NewScore
    ) async throws(StoreError) -> FirstPost {
        let register = PlayerRegister(
            device: device, game: game.slug, access: .classic, registration: registration, expected: nil, now: now,
            updatesKnown: false)
        return try await registrations.run { () async throws(StoreError) in
            try await racing { raceAttempt throws(StoreError) in
                let claim = DeviceClaim(
                    device: device, candidates: Self.playerIDs(in: game.slug), now: now,
                    mayRegister: registration.name != nil, token: nil)
                let repetition = Repetition(onlyReads: false)
                do throws(Undone) {
                    do throws(Undone) {
                        return try await post(claim, register, marker: marker, now: now, score: score)
                    } catch {
                        guard case .failed(let cause) = error, repetition.isDue(after: cause) else { throw error }
                        return try await post(claim, register, marker: marker, now: now, score: score)
                    }
                } catch {
                    switch error {
                    case .failed(let error): throw failure(error, raceAttempt)
                    case .wrongRowCount: throw .wrongRowCount
                    case .refused(let post): return post
                    }
                }
            }
        }
    }

    /// Registers and records in one transaction, which a refusal rolls back.
    private func post(
        _ claim: DeviceClaim, _ register: PlayerRegister, marker: String?, now: Instant, score: (Player.ID) -> NewScore
    ) async throws(Undone) -> FirstPost {
        try await ledgerPool.withConnection { connection throws(Undone) in
            // Who is refused must not lock the player whose device it names.
            let settled: RegistrationOutcome?
            do throws(PostgresError) { settled = try await register.settled(on: connection) } catch {
                throw .failed(error)
            }
            switch settled {
            case nil, .known: break
            case let refusal?: return .unregistered(refusal)
            }
            return try await connection.transaction { connection throws(Undone) in
                let post: FirstPost?
                do throws(PostgresError) {
                    post = try await Self.firstPost(
                        on: connection, claim, register, marker: marker, now: now, score: score)
                } catch { throw .failed(error) }
                guard let post else { throw .wrongRowCount }
                guard case .recorded = post else { throw .refused(post) }
                return post
            }
        }
    }

    /// - Returns: Nil when a statement returned no row, which is a bug and says nothing about the post.
    private static func firstPost(
        on connection: Connection, _ claim: DeviceClaim, _ register: PlayerRegister, marker: String?, now: Instant,
        score: (Player.ID) -> NewScore
    ) async throws(PostgresError) -> FirstPost? {
        // The lock of the tallies comes before that of the wallet, as everywhere else.
        let (_, _, _, _, outcomes) = try await connection.pipeline(
            LockPatience(), TalliesShare(), claim, CallersLock(callers: [.device(claim.device)]), register)
        let player: Player.ID
        switch outcomes.first?.outcome {
        case .registered(let made), .known(let made), .renamed(let made): player = made.id
        case let outcome: return outcome.map(FirstPost.unregistered)
        }
        let batch = LedgerBatch(scores: [score(player)], donations: [], isRepeated: false, marker: marker, now: now)
        let receipts = try await batch.write(on: connection).scores
        return receipts.first.map(FirstPost.init)
    }
}

/// Why a transaction is rolled back: PostgreSQL failed or returned no row, or the post was refused.
private enum Undone: PostgresErrorConvertible {
    case failed(PostgresError)
    case wrongRowCount
    case refused(FirstPost)

    init(_ error: PostgresError) { self = .failed(error) }
}
