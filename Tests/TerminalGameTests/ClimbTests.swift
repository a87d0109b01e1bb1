import Contract
import Testing

@testable import TerminalGame

@Suite struct ClimbTests {
    private func rows(_ names: String...) -> [RankedRow] {
        names.enumerated().map { index, name in
            RankedRow(
                rank: index + 4, tied: false, player: Int64(index), name: name, points: Int128(900 - index),
                reachedAt: Timestamp(microsecondsSince1970: 0))
        }
    }

    private func names(_ frames: [[String]]) -> [[String]] {
        frames.map { $0.map { String($0.split(separator: " ").last ?? "") } }
    }

    @Test("the own row climbs from the bottom, and everybody has the rank of the place") func climbing() {
        let frames = Climb(rows("Ada", "Bob", "Cy"), player: 0, former: nil).frames
        #expect(names(frames) == [["Bob", "Cy", "Ada"], ["Bob", "Ada", "Cy"], ["Ada", "Bob", "Cy"]])
        #expect(frames.first == ["      4        899  Bob", "      5        898  Cy", "▶     6        900  Ada"])
    }

    @Test("it comes from the rank that it had, also from above, and stays where it was") func former() {
        let rows = rows("Ada", "Bob", "Cy")
        #expect(names(Climb(rows, player: 0, former: 5).frames) == [["Bob", "Ada", "Cy"], ["Ada", "Bob", "Cy"]])
        #expect(names(Climb(rows, player: 2, former: 1).frames).count == 3)
        #expect(names(Climb(rows, player: 1, former: 5).frames) == [["Ada", "Bob", "Cy"]])
    }

    @Test("among friends each row has its place among them, and the own one is marked") func friends() {
        let time = Timestamp(microsecondsSince1970: 0)
        let rows = [(1, 7), (2, 31)].map { among, rank in
            RankedRow(
                rank: rank, tied: false, player: Int64(rank), name: "P\(rank)", points: Int128(50 - among),
                reachedAt: time, among: among)
        }
        #expect(Climb.lines(rows, player: 31) == ["      1         49  P7", "▶     2         48  P31"])
    }

    @Test("without the own row there is nothing to climb") func absent() {
        #expect(names(Climb(rows("Ada"), player: 9, former: nil).frames) == [["Ada"]])
        #expect(Climb([], player: 9, former: nil).frames.isEmpty)
    }
}
