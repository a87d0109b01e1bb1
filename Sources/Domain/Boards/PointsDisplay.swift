/// How pages show the points of a board. Feeds and the API always show the integer.
package struct PointsDisplay: Sendable, Equatable {
    package enum Form: String, Sendable, CaseIterable {
        case number
        /// The points are whole seconds: 83 is shown as 1:23.
        case seconds
        /// The points are milliseconds: 53157 is shown as 0:53.157.
        case milliseconds
    }

    package let form: Form
    /// The word behind the number, such as `m`; nil where nothing is said or the word is "points".
    package let unit: String?

    package init(_ form: Form, unit: String? = nil) {
        self.form = form
        self.unit = unit
    }

    package static let number = PointsDisplay(.number)
}

/// The word behind a number of points, which an administrator chooses.
package struct PointsUnit: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Nil unless the text is a ``DisplayName`` of at most ``charactersMax`` characters.
    package init?(_ text: String) {
        guard let name = DisplayName(text), name.description.unicodeScalars.count <= Self.charactersMax else {
            return nil
        }
        description = name.description
    }

    package static let charactersMax = 16
    /// The rule in words, for an error message.
    package static let rule = "1 to \(charactersMax) characters on one line, with letters, digits or symbols"
}
