/// Dice that fall the same way for the same seed, on every machine: SplitMix64 (Steele, Lea and Flood 2014), and only
/// arithmetic that IEEE 754 defines to the last bit.
struct Chance {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: Of the whole world.
    ///   - subject: What the dice are for, so that no two subjects see the same ones.
    init(seed: UInt64, subject: UInt64, index: UInt64 = 0) {
        state = Self.mixed(Self.mixed(Self.mixed(seed) ^ subject) ^ index)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// 0..<bound; `bound` is at least 1.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(max(bound, 1))).high)
    }

    mutating func below(_ bound: Int64) -> Int64 { Int64(below(Int(bound))) }

    /// So many in a hundred times.
    mutating func happens(percent: Int) -> Bool { below(100) < percent }

    /// One of them; they are never empty.
    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

    /// The place that a weight has hit.
    /// - Parameter sums: Of the weights up to each place.
    mutating func place(in sums: [Int]) -> Int {
        let hit = below(sums.last ?? 1)
        return sums.firstIndex { hit < $0 } ?? 0
    }

    /// About a standard normal deviate, within ±3.47: four uniform ones added up.
    mutating func bell() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        return (Double(sum) / 65_536 - 2) * 1.732
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// About e to the power of `exponent`, within ±8: the C library's own may differ in the last bit from one machine to
/// the next.
func grown(_ exponent: Double) -> Double {
    var power = 1 + exponent / 1_024
    for _ in 0..<10 { power *= power }
    return power
}

extension Array where Element == Int {
    /// The sums up to each place, as ``Chance/place(in:)`` takes them.
    var runningSums: [Int] {
        var sum = 0
        return map { weight in
            sum += weight
            return sum
        }
    }
}
