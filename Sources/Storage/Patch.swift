/// What an operator's verb says of an optional setting.
package enum Patch<Value: Sendable>: Sendable {
    case keep
    case set(Value)
    case clear

    package var isGiven: Bool {
        if case .keep = self { false } else { true }
    }

    package var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}
