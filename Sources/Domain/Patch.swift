/// A change that a request makes to an optional value: keep it, set it or clear it.
package enum Patch<Value: Sendable>: Sendable {
    /// The request does not mention the value, so it stays as it is.
    case keep
    case set(Value)
    /// The request empties the value.
    case clear

    package var isGiven: Bool { if case .keep = self { false } else { true } }

    /// The new value; nil with `keep` and `clear`.
    package var value: Value? { if case .set(let value) = self { value } else { nil } }

    package func map<Other>(_ transform: (Value) -> Other) -> Patch<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let value): .set(transform(value))
        }
    }
}
