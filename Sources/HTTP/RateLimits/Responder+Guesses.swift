import Credentials
import Domain
import HTTPTypes
import Storage

// Codes that people type in are short enough to be guessed, so they are counted before the database is asked, and given
// back when they were good. Beyond a limit a code is refused unjudged, also a good one. If the sender leaves before the
// answer, the code stays counted.
//
// Whoever has many addresses is bounded by the game: after many wrong join codes from all addresses together, an
// address may try one that has tried no wrong code within an hour. So nobody who guesses can keep others out. Recovery
// codes have 130 bits, so they count by address alone.
extension Responder {
    /// Judges a code within the limits of its address and its game.
    /// - Parameters:
    ///   - kind: What the code would be by its form.
    ///   - judge: Asks the database.
    /// - Throws: 429 when the code may not be judged.
    func guessing(
        _ kind: PlayerCode.Kind,
        in game: Slug,
        of request: Request,
        _ judge: () async throws -> JoinOutcome
    ) async throws -> JoinOutcome {
        // Events count here too: codes are guessed in a hall as well as elsewhere.
        guard rates.isOn, let address = clientAddress(of: request) else {
            return try await judge()
        }
        try rates.count(address, in: .failedCodes)
        var guess: GameGuess?
        if kind == .join {
            do throws(Problem) { guess = try countGuess(of: address, in: BucketKey(game)) } catch {
                rates.giveBack(address, to: .failedCodes)
                throw error
            }
        }
        func giveBack() {
            rates.giveBack(address, to: .failedCodes)
            if let guess { forget(guess, of: address) }
        }
        do {
            let outcome = try await judge()
            if case .codeRefused = outcome { return outcome }
            giveBack()
            return outcome
        } catch {
            if Self.isRefusal(error) { giveBack() }
            throw error
        }
    }

    /// Where a join code was counted beside its address's limit.
    private struct GameGuess {
        /// Nil when the game has had too many.
        let game: BucketKey?
        /// Whether it is the address's first one within an hour.
        let isFirst: Bool
    }

    private func countGuess(of address: IPAddress, in game: BucketKey) throws(Problem) -> GameGuess {
        let isGameFull = rates.take(game, of: .gameFailedCodes) != nil
        let wait = rates.noteGuess(of: address)
        if isGameFull, let wait { throw rates.refusal(.gameFailedCodes, after: wait) }
        return GameGuess(game: isGameFull ? nil : game, isFirst: wait == nil)
    }

    private func forget(_ guess: GameGuess, of address: IPAddress) {
        if let game = guess.game { rates.giveBack(game, to: .gameFailedCodes) }
        if guess.isFirst { rates.forgetGuess(of: address) }
    }
}
