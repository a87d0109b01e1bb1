import Credentials
import Domain
import HTTPTypes
import Storage

// Codes that people type are short enough to guess, so they are counted before the database checks them, and the count
// is returned if the code was good. Beyond a limit no code is checked, not even a good one. If the sender disconnects
// before the answer, the code stays counted.
//
// Against guessers with many addresses, each game has a limit too: after many wrong join codes from all addresses
// together, only an address without a wrong code in the last hour may try one. So a guesser cannot lock others out.
// Recovery codes have 130 bits, so they count by address only.
extension Responder {
    /// Checks a code within the limits of its address and its game.
    /// - Parameters:
    ///   - kind: The kind of code, by its form.
    ///   - judge: Asks the database.
    /// - Throws: 429 if a limit is exceeded.
    func guessing(
        _ kind: PlayerCode.Kind,
        in game: Slug,
        of request: Request,
        _ judge: () async throws -> JoinOutcome
    ) async throws -> JoinOutcome {
        // Event networks count here too, because guests can guess codes as well.
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

    /// The count of a join code for its game.
    private struct GameGuess {
        /// Nil if the game's limit was exceeded.
        let game: BucketKey?
        /// Whether it is the address's first code within an hour.
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
