import HTTPTypes

extension HTTPField.Name {
    /// - Parameter text: The name of a field, written in the source: tokens only (RFC 9110, section 5.1).
    static func standard(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is no name of a field") }
        return name
    }
}
