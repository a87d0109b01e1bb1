/// The reason why a field is refused: a sentence that tells the sender what to change. It never repeats what was sent.
package struct FieldError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The field is missing or out of its limits.
        case field
        /// The name looks like a reserved one.
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
