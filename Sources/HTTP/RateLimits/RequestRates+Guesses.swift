import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Storage

// Codes that people type are short enough to guess, so they are counted before the database checks them, and the count
// is returned if the code was good. Beyond a limit no code is checked, not even a good one. If the sender disconnects
// before the answer, the code stays counted.
//
// Against guessers with many addresses, each game has a limit too, and each block of addresses a share of it. Beyond
// either, an address may still try a few codes an hour. So a guesser cannot lock others out. Recovery codes have 130
// bits, so they count by address only.
extension RequestRates {
    /// Checks a code within the limits of its address and its game.
    /// - Parameters:
    ///   - kind: The kind of code, by its form.
    ///   - isWrong: Whether the code was wrong, so that it stays counted.
    ///   - judge: Asks the database.
    /// - Throws: 429 if a limit is exceeded.
    func guessing<Outcome>(
        _ kind: PlayerCode.Kind, in game: Slug, of request: Request, isWrong: (Outcome) -> Bool,
        _ judge: () async throws -> Outcome
    ) async throws -> Outcome {
        // Event networks count here too, because guests can guess codes as well.
        guard limiter.isOn, let address = clientAddress(of: request) else { return try await judge() }
        try limiter.count(address, in: .failedCodes)
        var guess: GameGuess?
        if kind != .recovery {
            do throws(Problem) { guess = try countGuess(of: address, in: game) } catch {
                limiter.giveBack(address, to: .failedCodes)
                throw error
            }
        }
        func giveBack() {
            limiter.giveBack(address, to: .failedCodes)
            if let guess { forget(guess, in: game, of: address) }
        }
        do {
            let outcome = try await judge()
            if isWrong(outcome) { return outcome }
            giveBack()
            return outcome
        } catch {
            if Self.isRefusal(error) { giveBack() }
            throw error
        }
    }

    /// The limits in which a 40-bit code was counted.
    private struct GameGuess {
        /// Whether in the limit of its game.
        let isOfGame: Bool
        /// Whether among the few codes that its address may try beyond that limit.
        let isOfAddress: Bool
    }

    private func countGuess(of address: IPAddress, in game: Slug) throws(Problem) -> GameGuess {
        let isOfGame = limiter.takeGuess(in: game, from: address)
        let wait = limiter.noteGuess(of: address)
        if !isOfGame, let wait { throw limiter.refusal(.gameFailedCodes, after: wait) }
        return GameGuess(isOfGame: isOfGame, isOfAddress: wait == nil)
    }

    private func forget(_ guess: GameGuess, in game: Slug, of address: IPAddress) {
        if guess.isOfGame { limiter.giveBackGuess(in: game, from: address) }
        if guess.isOfAddress { limiter.forgetGuess(of: address) }
    }
}
