import CauseboardClient
import Contract

/// Puts a score on the board under the player's name, and shows where that got the player.
struct Posting {
    let causeboard: Causeboard
    let board: String
    let terminal: Terminal

    /// - Returns: What the player can donate now; nil when nothing was posted, or it waits.
    func post(_ score: Int64) async throws(CauseboardError) -> Int64? {
        if let would = try? await causeboard.rank(of: score, on: board) {
            terminal.say("That would be rank \(would.rank).")
        }
        guard try await signIn() else { return nil }
        let former = try? await causeboard.rank(on: board).rank

        let events = await causeboard.watchQueue()
        let post = try await causeboard.post(score, to: board)
        switch await causeboard.progress(of: post, events) {
        case .settled(.score(let receipt)):
            await showPlace(former: former)
            terminal.say(Self.sentence(receipt))
            return receipt.left
        case .settled(.refused(let refusal)):
            terminal.say("The server refused it: \(refusal.sentence)")
            try await causeboard.dismissRefused()
        case .settled(.donation): break
        case .waits(let why):
            terminal.say(why, "Your score waits on this device. It is sent as soon as the server can be reached.")
            try await showOwnBoard()
        }
        return nil
    }

    /// Signs the player in under a name that the server takes.
    /// - Returns: False when the player gives no name.
    func signIn() async throws(CauseboardError) -> Bool {
        let known = await causeboard.player?.name
        while let name = askName(known) {
            do throws(CauseboardError) {
                try await causeboard.signIn(as: name)
                return true
            } catch {
                switch error {
                case .chooseAnotherName: terminal.say(error.sentence)
                case .askAgain: return true  // The name is kept, and the queue registers by it.
                case .signInAgain, .giveUp, .queueFull, .storage: throw error
                }
            }
        }
        return false
    }

    private func askName(_ known: String?) -> String? {
        guard let known else {
            return terminal.ask("Your name on the board (Enter posts nothing):").flatMap { $0.isEmpty ? nil : $0 }
        }
        return terminal.ask("Your name on the board (Enter for \(known)):").map { $0.isEmpty ? known : $0 }
    }

    /// Shows the rows around the player's own, which climbs there from where it was.
    private func showPlace(former: Int?) async {
        guard let player = await causeboard.player?.id,
            let rows = try? await causeboard.around(of: board, limit: 5).rows
        else { return }
        let frames = Climb(rows, player: player, former: former).frames
        for (index, frame) in frames.enumerated() {
            terminal.say(frame, over: index == 0 ? 0 : frame.count)
            if index < frames.count - 1 { try? await Task.sleep(for: .milliseconds(250)) }
        }
    }

    /// The device's own board needs no network.
    private func showOwnBoard() async throws(CauseboardError) {
        let mine = try await causeboard.localBoard(board)
        terminal.say(mine.entries.map { "  \($0.points)  \($0.name)\($0.state == .pending ? " (not sent yet)" : "")" })
    }

    private static func sentence(_ receipt: ScoreReceipt) -> String {
        let best = receipt.improved ? "" : receipt.best.map { " Your best stays \($0)." } ?? ""
        guard let rank = receipt.rank, let of = receipt.of else { return "Posted." + best }
        return "Posted: rank \(rank) of \(of)." + best
    }
}

extension Causeboard {
    /// Forgets what the server refused, once the player was told.
    func dismissRefused() async throws(CauseboardError) {
        for refused in await queue.refused { try await dismiss(refused) }
    }
}
