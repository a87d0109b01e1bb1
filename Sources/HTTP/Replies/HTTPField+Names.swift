import HTTPTypes

extension HTTPField.Name {
    /// The answer says again what was recorded before.
    static let idempotentReplayed: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotent-Replayed") else {
            preconditionFailure("Idempotent-Replayed is a field name by RFC 9110")
        }
        return name
    }()
}
