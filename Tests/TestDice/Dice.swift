package import Foundation

/// A SplitMix64 generator (Steele, Lea and Flood 2014). The same seed gives the same numbers on every machine.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The seeds of a random test: the fixed ones, or only the one in the environment's SEED. A failure names its seed,
    /// and `deploy/test` prints the command that runs the test with it again.
    package static func seeds(_ fixed: UInt64...) -> [UInt64] { chosenSeed.map { [$0] } ?? fixed }

    package static func seeds(_ fixed: ClosedRange<UInt64>) -> [UInt64] { chosenSeed.map { [$0] } ?? Array(fixed) }

    /// The seeds of a random test that takes many seconds with each: outside nightly runs only the first of them.
    package static func slowSeeds(_ fixed: UInt64...) -> [UInt64] {
        chosenSeed.map { [$0] } ?? (isNightly ? fixed : Array(fixed.prefix(1)))
    }

    /// Whether tests do in full what takes too long for every push.
    package static let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"]?.isEmpty == false

    private static let chosenSeed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Dice {
    /// Picks one of the elements, of which there must be at least one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }

    /// Returns true with a probability of `chance` percent.
    package mutating func percent(_ chance: Int) -> Bool { Int.random(in: 0..<100, using: &self) < chance }

    package mutating func uuid() -> UUID {
        let words = (next(), next())
        return withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
