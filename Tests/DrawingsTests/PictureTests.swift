import Domain
import Foundation
import Testing

@testable import Drawings

/// Pictures for people to look at.
@Suite struct PictureTests {
    @Test(
        "pictures are written to the directory that PICTURES names",
        .enabled(if: ProcessInfo.processInfo.environment["PICTURES"] != nil)) func write() throws
    {
        let directory = URL(fileURLWithPath: ProcessInfo.processInfo.environment["PICTURES"] ?? "")
        func write(_ name: String, _ bytes: [UInt8]?) throws {
            try Data(try #require(bytes)).write(to: directory.appending(path: name))
        }
        try write("player.png", Samples.player().png())
        try write("player-emoji.png", Samples.player(name: String(repeating: "🦋😀", count: 16)).png())
        let scripts = "한국어 中文 日本語 ไทย हिन्दी Привет Ελληνικά"
        try write("player-scripts.png", Samples.player(name: "مرحبا بالعالم (abc)", line: scripts).png())
        try write("board.png", Samples.board().png())
        try write("board-hostile.png", Samples.board(names: [0, 3, 5, 7, 13].map { Samples.hostile[$0] }).png())
        try write("board-empty.png", Samples.board(names: []).png())
        let long = "The Extremely Long Named Society for the Preservation of Village Scoreboards and Wires"
        try write("charity.png", Samples.charity().png())
        try write("charity-past.png", Samples.charity(points: 900_000).png())
        try write("charity-long.png", Samples.charity(name: long, points: nil).png())
        let cases: [(String, Int128?)] = [("", 339_176), ("-past", 900_000), ("-none", nil), ("-1", 1), ("-max", .max)]
        for size in SignSize.allCases {
            for (suffix, points) in cases {
                var sign = Samples.sign(points: points)
                sign.size = size
                let name = size.rawValue + suffix
                try write("thermometer-\(name).svg", Thermometer(sign).svg())
                try write("thermometer-\(name).png", Thermometer(sign).png(.two))
                try write("badge-\(name).svg", Badge(sign, label: "points donated").svg())
                try write("badge-\(name).png", Badge(sign, label: "points donated").png(.two))
            }
        }
        for id in 1...24 as ClosedRange<Int64> {
            try write("flag-\(id).png", Flag.png(of: Player.ID(rawValue: id), sidePixels: 80))
        }
    }
}
