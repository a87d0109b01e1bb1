import CauseboardClient
import Contract

/// A sitting at the terminal: what waits from the last one, and then games for as long as the player likes.
struct GameSession {
    let causeboard: Causeboard
    let board: String
    let terminal: Terminal

    init(_ arguments: Arguments, _ terminal: Terminal) async throws(CauseboardError) {
        causeboard = try await Causeboard(server: arguments.server, game: arguments.game)
        (board, self.terminal) = (arguments.board, terminal)
        _ = try await causeboard.localBoard(board)  // A name that can be no board's is said before the game.
    }

    func run() async throws(CauseboardError) {
        try await tellWhatWaited()
        terminal.say("Hang the plates: take each before it drops. Twenty seconds.")
        terminal.say("Keys: the one on the plate, or arrows and space. Ctrl-C ends the game.")
        var question = "Enter begins, f shows friends."
        while let answer = terminal.ask(question)?.lowercased(), !["n", "no", "q"].contains(answer) {
            if answer == "f" {
                await Befriending(causeboard: causeboard, board: board, terminal: terminal).offer()
                continue
            }
            guard let score = play() else { break }
            terminal.say("Time is up. Score: \(score).")
            let posting = Posting(causeboard: causeboard, board: board, terminal: terminal)
            if score > 0, let left = try await posting.post(score) {
                try await Donating(causeboard: causeboard, terminal: terminal).offer(left)
            }
            question = "Enter plays again, f shows friends, n ends."
        }
        await causeboard.close()
    }

    /// What could not be sent the last time is sent by now, or waits on.
    private func tellWhatWaited() async throws(CauseboardError) {
        let events = await causeboard.watchQueue()
        let queue = await causeboard.queue
        if let last = queue.pending.last {
            terminal.say("Waiting from the last time: \(queue.pending.count).")
            await causeboard.resume()  // Whether the server can be reached is told anew.
            switch await causeboard.progress(of: last, events) {
            case .settled: terminal.say("Now it is sent.")
            case .waits(let why): terminal.say("\(why) It waits on.")
            }
        }
        if let refusal = await causeboard.queue.nameRefusal { terminal.say("Choose another name. \(refusal)") }
        for refused in await causeboard.queue.refused { terminal.say("Refused: \(refused.refusal.sentence)") }
        try await causeboard.dismissRefused()
    }

    /// Plays one game on the field.
    /// - Returns: The score; nil when nobody can type any more.
    private func play() -> Int64? {
        terminal.enter()
        defer { terminal.leave() }
        var (game, cursor, reader) = (PlateGame(), Cursor(), KeyReader())
        var chance = SystemRandomNumberGenerator()
        var shown: [String] = []
        let clock = ContinuousClock()
        var before = clock.now
        while !game.isOver {
            guard let bytes = terminal.typed(within: 30) else { return nil }
            let now = clock.now
            game.pass(now - before, &chance)
            before = now
            for key in reader.keys(bytes) {
                switch key {
                case .hook(let index): game.take(index)
                case .take: game.take(cursor.index)
                case .up, .down, .left, .right: cursor.move(key)
                }
            }
            let lines = Drawing.lines(game, cursor: cursor)
            if lines != shown { terminal.draw(lines) }
            shown = lines
        }
        return game.score
    }
}
