import Tracing

// Spans of statements. They belong to the request whose task sends them, or to the one that the connection is told; a
// request that is not traced has none.
extension Connection {
    /// - Parameter name: The statements, by their types; made only for a span.
    /// - Returns: A span that the caller ends; nil when nothing is traced.
    func beginSpan(_ name: @autoclosure () -> String) -> (any Span)? {
        guard let context = trace ?? InstrumentationContext.current else { return nil }
        let span = InstrumentationSystem.tracer.startSpan(name(), context: context, ofKind: .client)
        span.attributes["db.system"] = "postgresql"
        return span
    }

    func types<each Q: Query>(of queries: repeat each Q) -> [Any.Type] {
        var types: [Any.Type] = []
        for query in repeat each queries { types.append(type(of: query)) }
        return types
    }

    static func name(_ types: [Any.Type]) -> String { types.map { "\($0)" }.joined(separator: ", ") }
}
