/// Why a field cannot be taken: a sentence for whoever sent it that says what to change. It never repeats what was
/// sent.
package struct FieldError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The field is missing or out of its limits.
        case field
        /// The name looks like one that nobody may have.
        case nameRefused
    }

    package let field: String
    package let kind: Kind
    package let description: String

    package init(_ field: String, kind: Kind = .field, _ description: String) {
        self.field = field
        self.kind = kind
        self.description = description
    }
}
