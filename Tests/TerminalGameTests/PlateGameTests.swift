import TestDice
import Testing

@testable import TerminalGame

@Suite struct PlateGameTests {
    private func game(after milliseconds: Int, _ dice: inout Dice) -> PlateGame {
        var game = PlateGame()
        for _ in 0..<milliseconds / 10 { game.pass(.milliseconds(10), &dice) }
        return game
    }

    @Test("the first plate hangs after a moment, is worth 160 to 480, and is taken once", arguments: Dice.seeds(1...5))
    func taking(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        #expect(game(after: 290, &dice).hooks.allSatisfy { $0 == nil })
        var game = game(after: 300, &dice)
        let index = try #require(game.hooks.firstIndex { $0 != nil })
        let worth = try #require(game.hooks[index]?.worth)
        #expect([160, 320, 480].contains(worth))
        let taken = [(index + 1) % 16, index, index].map { game.take($0) }
        #expect(taken == [false, true, false])
        #expect((game.score, game.streak) == (worth, 1))
        for _ in 0..<32 { game.pass(.milliseconds(10), &dice) }
        #expect(game.hooks[index]?.state != .shines)
    }

    @Test("a plate that nobody takes is loose, drops, cannot be taken then, and ends the streak") func dropping() throws
    {
        var dice = Dice(seed: 1)
        var game = game(after: 300, &dice)
        let index = try #require(game.hooks.firstIndex { $0 != nil })
        #expect(game.hooks[index]?.isLoose(at: game.time) == false)
        var wasLoose = false
        while let plate = game.hooks[index], plate.state == .hangs {
            wasLoose = wasLoose || plate.isLoose(at: game.time)
            if let other = game.hooks.indices.first(where: { $0 != index && game.hooks[$0]?.state == .hangs }) {
                game.take(other)
            }
            game.pass(.milliseconds(10), &dice)
        }
        #expect(wasLoose)
        #expect(game.hooks[index]?.state == .falls)
        let isTaken = game.take(index)
        #expect(!isTaken)
        #expect(game.streak == 0)
    }

    @Test("it ends after twenty seconds of its own time; a process that stood still has not lost them") func ending() {
        var dice = Dice(seed: 1)
        var game = PlateGame()
        game.pass(.seconds(3_600), &dice)
        #expect(game.time == PlateGame.frameMax)
        game.pass(.seconds(-5), &dice)
        #expect(game.time == PlateGame.frameMax)
        while !game.isOver { game.pass(.milliseconds(50), &dice) }
        #expect(game.time == PlateGame.length)
        #expect(game.timeLeft == .zero)
        let taken = game.hooks.indices.filter { game.take($0) }
        #expect(taken.isEmpty)
    }

    @Test("whoever takes everything gets more for each plate, up to ten in a row") func streaks() {
        var dice = Dice(seed: 2)
        var game = PlateGame()
        var most: Int64 = 0
        while !game.isOver {
            game.pass(.milliseconds(10), &dice)
            for index in game.hooks.indices where game.take(index) { most = max(most, game.hooks[index]?.worth ?? 0) }
        }
        #expect(game.streak > PlateGame.streakMax)
        #expect(most > 480 && most <= 1_280)
        let beside = [game.take(-1), game.take(16)]
        #expect(beside == [false, false])
    }
}
