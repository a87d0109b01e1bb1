import CauseboardClient
import Contract

/// Shows the board among the player's friends, and makes friends by codes.
struct Befriending {
    let causeboard: Causeboard
    let board: String
    let terminal: Terminal

    private static let rowsMax = 10

    /// Asks until the player wants to go back.
    func offer() async {
        guard let player = await causeboard.player?.id else {
            return terminal.say("Post a score first. Then you can add friends.")
        }
        guard await attempt({ () async throws(CauseboardError) in try await showBoard(of: player) }) else { return }
        while let text = terminal.ask("A friend's code, or c for a code of yours (Enter goes back):"), !text.isEmpty {
            await attempt { () async throws(CauseboardError) in
                if text.lowercased() == "c" { return try await makeCode() }
                let friend = try await causeboard.befriend(code: text)
                terminal.say("You and \(friend.name) are friends now.")
                try await showBoard(of: player)
            }
        }
    }

    private func makeCode() async throws(CauseboardError) {
        let code = try await causeboard.makeFriendCode().code
        terminal.say("Your friend code is \(code). Up to 20 friends can use it within 24 hours.")
    }

    private func showBoard(of player: Int64) async throws(CauseboardError) {
        let rows = try await causeboard.friendsTop(of: board, limit: Self.rowsMax).rows
        terminal.say("You and your friends:")
        terminal.say(Climb.lines(rows, player: player))
    }

    /// None of these calls waits in the queue, so whatever fails is told at once.
    @discardableResult private func attempt(_ call: () async throws(CauseboardError) -> Void) async -> Bool {
        do {
            try await call()
            return true
        } catch {
            terminal.say(error.sentence)
            return false
        }
    }
}
