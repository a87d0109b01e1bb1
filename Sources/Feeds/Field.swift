/// A named value of a ``Document``.
package struct Field: Sendable {
    /// snake_case; XML shows it dashed. A literal, so that no data can become markup.
    package var name: StaticString
    package var value: Value

    package init(_ name: StaticString, _ value: Value) {
        self.name = name
        self.value = value
    }
}
