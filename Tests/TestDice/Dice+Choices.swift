import Foundation
import TestDice

extension Dice {
    /// One of them; there is at least one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }

    /// True so many times in a hundred.
    mutating func percent(_ chance: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < chance
    }

    mutating func uuid() -> UUID {
        let words = (next(), next())
        return withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
