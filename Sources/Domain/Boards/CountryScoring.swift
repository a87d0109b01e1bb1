/// How a board ranks countries and their regions: by the points of so many of their players, the best ones.
package struct CountryScoring: Sendable, Equatable, CustomStringConvertible {
    /// Nil: the board has no ranking of countries.
    package let best: Int32?

    package static let off = CountryScoring(best: nil)

    /// - Parameter best: One of ``Limits/countryBest``.
    package init(best: Int32?) { self.best = best }

    /// Reads `none` or `best:3`.
    package init?(_ text: String) {
        if text.utf8.count > 16 { return nil }
        if text == "none" {
            self = .off
            return
        }
        guard text.hasPrefix("best:"), let count = Int32(text.dropFirst(5)), "best:\(count)" == text,
            Limits.countryBest.contains(count)
        else { return nil }
        best = count
    }

    package var description: String { best.map { "best:\($0)" } ?? "none" }

    /// The rule in words, for an error message.
    package static let rule = "none or best:N, where N is 1 to \(Limits.countryBest.upperBound)"
}
