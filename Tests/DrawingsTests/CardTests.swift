import Domain
import Foundation
import Testing

@testable import Drawings

/// Cards need fonts; on a machine without, the tests say that there are no cards.
@Suite struct CardTests {
    @Test("a hostile name changes the place of the name and nothing else", arguments: Samples.hostileIndices)
    func player(_ index: Int) throws {
        let name = Samples.hostile[index]
        guard DrawingFonts.areInstalled else { return #expect(Samples.player(name: name).png() == nil) }
        let usual = try Pixels(of: Samples.player(name: "x", line: "").png())
        let card = Samples.player(name: name, line: "")
        let bytes = try #require(card.png())
        #expect(card.png() == bytes)
        let pixels = try Pixels(of: bytes)
        #expect((pixels.width, pixels.height) == (1_200, 630))
        try expectSame(usual, pixels, outside: Rectangle(220, 65, 910, 135))
    }

    @Test("hostile names of rows stay in their rows", arguments: Samples.hostileIndices) func board(_ index: Int) throws
    {
        let name = Samples.hostile[index]
        guard DrawingFonts.areInstalled else { return }
        let usual = try Pixels(of: Samples.board(names: ["x", "x", "x", "x", "x"]).png())
        let names = ["x", "x", name, "x", "x"]
        let pixels = try Pixels(of: Samples.board(names: names).png())
        try expectSame(usual, pixels, outside: Rectangle(224, 332, 775, 72))
    }

    @Test("hostile names of charities stay above the plates", arguments: Samples.hostileIndices) func charity(
        _ index: Int
    ) throws {
        let name = Samples.hostile[index]
        guard DrawingFonts.areInstalled else { return }
        let usual = try Pixels(of: Samples.charity(name: "x").png())
        let pixels = try Pixels(of: Samples.charity(name: name).png())
        try expectSame(usual, pixels, outside: Rectangle(70, 50, 1_060, 175))
    }

    @Test("hostile texts, numbers and addresses leave the margins empty", arguments: Samples.hostileIndices) func texts(
        _ index: Int
    ) throws {
        let text = Samples.hostile[index]
        guard DrawingFonts.areInstalled else { return }
        var player = Samples.player(name: text, line: text)
        (player.total, player.caption, player.address) = (text, text, text)
        var charity = Samples.charity(name: text)
        (charity.total, charity.caption, charity.address) = (text, text, text)
        charity.goal?.text = text
        var board = Samples.board(names: [text, text, text, text, text, text, text])
        (board.name, board.line, board.address) = (text, text, text)
        for index in board.rows.indices { (board.rows[index].points, board.rows[index].rank) = (text, .max) }
        for bytes in [player.png(), charity.png(), board.png()] {
            let pixels = try Pixels(of: bytes)
            let margins = (0..<pixels.height).flatMap { y in [0, 69, 1_131, 1_199].map { pixels[$0, y] } }
            #expect(margins.allSatisfy { $0 == 0x0d3b3a })
        }
    }

    @Test(
        "numbers of any length are shown",
        arguments: ["0", "-1", "−9,007,199,254,740,991", "٧٠٣٬٩٠٠", "1 234", "", "∞"]) func totals(_ total: String)
        throws
    {
        guard DrawingFonts.areInstalled else { return }
        var card = Samples.player()
        card.total = total
        #expect(card.png() != nil)
        card.total = String(repeating: total, count: 40)
        #expect(card.png() != nil)
    }

    @Test(
        "shares of any kind make a strip within the margins",
        arguments: [[], [0], [-1, -2], [1], [.max, .max, .max], [1, .max, 1], Array(repeating: 1, count: 500)]
            as [[Int128]]) func shares(_ shares: [Int128]) throws
    {
        guard DrawingFonts.areInstalled else { return }
        var card = Samples.player()
        card.shares = shares
        let pixels = try Pixels(of: card.png())
        #expect(pixels[74, 545] == 0x0d3b3a && pixels[1_126, 545] == 0x0d3b3a)
        #expect(pixels[78, 545] == (shares.contains { $0 > 0 } ? 0xff8c60 : 0x2c5a57))
        #expect(pixels[1_122, 545] != 0x0d3b3a)
    }

    @Test("a player's own picture is shown without smoothing, three pixels wide for each of its own") func picture()
        throws
    {
        guard DrawingFonts.areInstalled else { return }
        let flag = try #require(Flag.png(of: Player.ID(rawValue: 40_404), sidePixels: 40))
        var card = Samples.player()
        card.portrait = .picture(try #require(SmallPicture(png: flag)))
        let pixels = try Pixels(of: card.png())
        #expect(pixels[100, 100] == 0x1f5fa8 && pixels[76 + 59, 100] == 0x1f5fa8)
        #expect(pixels[76 + 60, 100] == 0xf2c14a)
    }

    @Test("cards drawn side by side are those drawn one by one") func concurrent() async throws {
        let expected = (0..<6).map { Samples.player(name: "Player \($0)").png() }
        await withTaskGroup(of: Bool.self) { group in
            for round in 0..<24 {
                group.addTask { Samples.player(name: "Player \(round % 6)").png() == expected[round % 6] }
            }
            for await isSame in group { #expect(isSame) }
        }
    }

    private func expectSame(_ one: Pixels, _ two: Pixels, outside box: Rectangle) throws {
        var different = 0
        for y in 0..<one.height {
            for x in 0..<one.width where one[x, y] != two[x, y] {
                let (x, y) = (Double(x), Double(y))
                let isInside = x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height
                if !isInside { different += 1 }
            }
        }
        #expect(different == 0)
    }
}
