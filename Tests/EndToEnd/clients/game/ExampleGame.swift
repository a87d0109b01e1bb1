import CauseboardClient
import Contract
import Foundation

/// A game in a terminal, which the end-to-end tests play. Each line that it prints is `name value`.
///
///     ExampleGame SERVER DIRECTORY play NAME POINTS...     signs in, posts to maze/lap, waits for the answers
///     ExampleGame SERVER DIRECTORY queue POINTS...         posts, and ends without waiting
///     ExampleGame SERVER DIRECTORY tour                    calls everything once
///     ExampleGame SERVER DIRECTORY classic                 the calls of 2009
///     ExampleGame SERVER DIRECTORY rows                    reads TopScores.xml row by row
///     ExampleGame SERVER DIRECTORY drive                   does what standard input says, line by line
@main struct ExampleGame {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let server = URL(string: arguments[1]) else {
            throw CauseboardError.storage("ExampleGame SERVER DIRECTORY play|queue|tour|classic|rows|drive ...")
        }
        var options = Options()
        options.directory = URL(fileURLWithPath: arguments[2])
        let board = try await Causeboard(server: server, game: "maze", options: options)
        let rest = Array(arguments.dropFirst(4))
        switch arguments[3] {
        case "play": try await play(board, name: rest[0], points: rest.dropFirst().compactMap { Int64($0) })
        case "queue": try await queue(board, points: rest.compactMap { Int64($0) })
        case "tour": try await tour(board)
        case "drive": try await drive(board)
        case "classic": try await classic(server)
        default: try await rows(board)
        }
    }

    static func tell(_ name: String, _ value: some Any) { print(name, value) }

    static func play(_ board: Causeboard, name: String, points: [Int64]) async throws {
        tell("player", try await patiently { try await board.signIn(as: name) }.id)
        for points in points { try await board.post(points, to: "lap") }
        while let write = await board.queue.pending.last { _ = await board.settlement(of: write) }
        tell("refused", await board.queue.refused.count)
        let position = try await patiently { try await board.rank(on: "lap") }
        tell("rank", position.rank ?? 0)
        tell("points", position.points ?? 0)
        var page = try await patiently { try await board.scores(limit: 100) }
        while true {
            for score in page.rows { tell("score", score.id) }
            guard let next = page.next else { return }
            page = try await patiently { try await board.scores(limit: 100, after: next) }
        }
    }

    /// Asks again for ten seconds, because a server that is killed answers nothing until it has started again.
    static func patiently<Answer: Sendable>(_ ask: @Sendable () async throws -> Answer) async throws -> Answer {
        for _ in 1..<100 {
            if let answer = try? await ask() { return answer }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try await ask()
    }

    static func queue(_ board: Causeboard, points: [Int64]) async throws {
        for points in points { tell("queued", try await board.post(points, to: "lap").id.uuidString.lowercased()) }
    }

    static func rows(_ board: Causeboard) async throws {
        var rows = 0
        var pictures = 0
        for try await row in board.topScoresRows() {
            rows += 1
            if row.picture != nil { pictures += 1 }
        }
        tell("rows", rows)
        tell("pictures", pictures)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        for line in status.split(separator: "\n") where line.hasPrefix("VmHWM") {
            tell("peak_kib", line.filter(\.isNumber))
        }
    }
}
