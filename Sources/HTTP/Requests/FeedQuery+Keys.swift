extension FeedQuery {
    /// Parameters of a query, as bits: a request asks for one after the other, and a set of texts would hash each.
    struct Keys: OptionSet {
        let rawValue: UInt16

        static let after = Keys(rawValue: 1 << 0)
        static let before = Keys(rawValue: 1 << 1)
        static let charity = Keys(rawValue: 1 << 2)
        static let from = Keys(rawValue: 1 << 3)
        static let image = Keys(rawValue: 1 << 4)
        static let limit = Keys(rawValue: 1 << 5)
        static let players = Keys(rawValue: 1 << 6)
        static let points = Keys(rawValue: 1 << 7)
        static let season = Keys(rawValue: 1 << 8)
        static let window = Keys(rawValue: 1 << 9)

        static let day = Keys(rawValue: 1 << 10)
        static let team = Keys(rawValue: 1 << 11)
        static let country = Keys(rawValue: 1 << 12)
        static let of = Keys(rawValue: 1 << 13)

        /// Those that select the page or the rows. A query has one of them at most.
        static let page: Keys = [.after, .before, .from, .players]

        /// The names of the keys, by their bits.
        private static let allNames = [
            "after", "before", "charity", "from", "image", "limit", "players", "points", "season", "window", "day",
            "team", "country", "of",
        ]
        private static let nameBytesMax = 7

        init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The key with a name; nil when there is none.
        init?(name: String) {
            // A longer text is none of them, and comparing a hostile one takes long.
            guard name.utf8.count <= Self.nameBytesMax, let bit = Self.allNames.firstIndex(of: name) else { return nil }
            self.init(rawValue: 1 << bit)
        }

        var count: Int { rawValue.nonzeroBitCount }

        var names: [String] { Self.allNames.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element) }
    }
}
