/// The flag of a country, or of one of its regions, by its code: `DE` of ISO 3166-1 or `DE-BE` of ISO 3166-2. A player
/// chooses it to be shown. The private ``CountryCode`` has nothing to do with it.
package struct CountryFlag: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The bytes of the code, the first one highest, with zeros behind them: flags are in the order of their codes.
    package let number: Int64

    /// - Returns: Nil for a code that no country or region has. Codes are in upper case.
    package init?(_ text: String) {
        guard let flag = CountryFlag(stored: text), Self.known.contains(flag.number) else { return nil }
        self = flag
    }

    /// A code that was checked when it was stored. The list of codes may have changed since.
    package init?(stored text: String) {
        let bytes = Array(text.utf8.prefix(Self.bytesMax + 1))
        guard bytes.count == 2 || (4...Self.bytesMax).contains(bytes.count) else { return nil }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 0, 1: guard Self.letters.contains(byte) else { return nil }
            case 2: guard byte == Self.hyphen else { return nil }
            default: guard Self.letters.contains(byte) || Self.digits.contains(byte) else { return nil }
            }
        }
        number = (0..<Self.bytesMax).reduce(0) { $0 << 8 | ($1 < bytes.count ? Int64(bytes[$1]) : 0) }
    }

    private init(number: Int64) { self.number = number }

    package var description: String {
        let bytes = (0..<Self.bytesMax).map { UInt8(truncatingIfNeeded: number >> (8 * (Self.bytesMax - 1 - $0))) }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Whether it is that of a region.
    package var isRegion: Bool { number & 0xFFFF_FFFF != 0 }

    /// The flag of the whole country, which it is itself unless it is a region's.
    package var country: CountryFlag { CountryFlag(number: number & ~0xFFFF_FFFF) }

    /// Whether players who show this flag are on the boards of another one: on their own, and on that of the country.
    package func counts(for flag: CountryFlag) -> Bool { self == flag || country == flag }

    package static func < (one: CountryFlag, other: CountryFlag) -> Bool { one.number < other.number }

    /// All countries and regions, by their codes.
    package static let all = known.sorted().map(CountryFlag.init(number:))

    private static let known = Set(
        ISO3166.codes.split(separator: "\n").flatMap { line -> [Int64] in
            let parts = line.split(separator: " ")
            guard let country = parts.first else { return [] }
            let codes = [String(country)] + parts.dropFirst().map { "\(country)-\($0)" }
            return codes.compactMap { CountryFlag(stored: $0)?.number }
        })

    private static let bytesMax = 6
    private static let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let hyphen = UInt8(ascii: "-")

    /// The rule in words, for an error message.
    package static let rule = "the code of a country or region in upper case, such as DE or DE-BE (ISO 3166)"
}
