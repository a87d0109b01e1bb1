import Domain
import NIOCore
import TestDice
import Testing

@testable import HTTPServer

/// Where the bytes of an HTTP/2 client are cut.
@Suite struct FrameInputTests {
    private static let preface = [UInt8]("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// A frame with a payload of so many bytes.
    static func frame(_ type: UInt8, bytes count: Int, stream: UInt8 = 0) -> [UInt8] {
        [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), type, 0, 0, 0, 0, stream]
            + Array(repeating: 0, count: count)
    }

    /// What leaves when bytes come in pieces.
    private static func portions(_ pieces: [[UInt8]]) -> [FrameInput.Portion] {
        var input = FrameInput()
        return pieces.flatMap { piece in
            var bytes = ByteBuffer(bytes: piece)
            let hasRoom = input.hold(&bytes)
            #expect(hasRoom)
            var portions: [FrameInput.Portion] = []
            while let portion = input.next() { portions.append(portion) }
            #expect(!input.hasPortion)
            input.compact()
            return portions
        }
    }

    @Test("wherever bytes are split, all of them leave in their order, and never a part of a frame but of DATA")
    func whole() {
        for seed in Dice.seeds(1...300) {
            var dice = Dice(seed: seed)
            var bytes = Self.preface
            var borders: Set<Int> = [bytes.count]
            for _ in 0..<Int.random(in: 1...30, using: &dice) {
                let type = UInt8.random(in: 0...10, using: &dice)
                let frame = Self.frame(type, bytes: Int.random(in: 0...40, using: &dice))
                // DATA leaves as it comes, behind its header.
                if type == 0 { borders.formUnion(bytes.count + 9...bytes.count + frame.count) }
                bytes += frame
                borders.insert(bytes.count)
            }
            borders.formUnion(0...Self.preface.count)
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...40, using: &dice)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let portions = Self.portions(pieces)
            #expect(portions.flatMap { Array($0.bytes.readableBytesView) } == bytes, "SEED=\(seed)")
            var end = 0
            for portion in portions {
                end += portion.bytes.readableBytes
                #expect(borders.contains(end), "SEED=\(seed)")
            }
        }
    }

    @Test("a turn has few frames, however small they are, and counts heads apart from all others") func turns() {
        let frames = (0..<1_000).flatMap { _ in Self.frame(8, bytes: 4) } + Self.frame(1, bytes: 20, stream: 1)
        let portions = Self.portions([Self.preface, frames])
        let mostFrames = Limits.inputTurnBytes / Limits.pieceCostBytes
        #expect(portions.allSatisfy { $0.pieces + $0.heads <= mostFrames })
        #expect(portions.map(\.pieces).reduce(0, +) == 1_000 && portions.map(\.pieceBytes).reduce(0, +) == 4_000)
        #expect(portions.map(\.heads).reduce(0, +) == 1 && portions.map(\.headBytes).reduce(0, +) == 29)
    }

    @Test("behind a frame that is longer than frames may be nothing leaves, and nothing is held") func tooLong() {
        var input = FrameInput()
        var bytes = ByteBuffer(bytes: Self.preface + Self.frame(6, bytes: (1 << 14) + 1))
        var hasRoom = input.hold(&bytes)
        let header = input.next()
        #expect(hasRoom && header?.bytes.readableBytes == Self.preface.count + 9)
        for _ in 0..<100 {
            var more = ByteBuffer(repeating: 0, count: 60_000)
            hasRoom = input.hold(&more)
            let portion = input.next()
            #expect(hasRoom && portion == nil && input.heldBytes == 0)
        }
    }

    @Test("there is room for what one read brings, and not for more and more") func bound() {
        var input = FrameInput()
        var heldBytes = 0
        var more = ByteBuffer(repeating: 0, count: 60_000)
        while input.hold(&more) {
            heldBytes = input.heldBytes
            #expect(heldBytes <= Limits.unparsedBytesMax)
            more = ByteBuffer(repeating: 0, count: 60_000)
        }
        #expect(heldBytes >= 60_000 && input.heldBytes == heldBytes)
    }
}
