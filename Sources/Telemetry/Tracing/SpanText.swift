import Tracing

// Spans in the JSON of OTLP (opentelemetry-proto, trace/v1), of which a collector takes a document and a file takes a
// line for each span.
extension FinishedSpan {
    /// The span as OTLP's `Span`.
    var json: String {
        var text = "{\"traceId\":\"\(identity.trace.text)\",\"spanId\":\"\(TraceParent.text(identity.span))\""
        if let parent { text += ",\"parentSpanId\":\"\(TraceParent.text(parent))\"" }
        text += ",\"name\":\(JSONText.quoted(name)),\"kind\":\(kindNumber)"
        text += ",\"startTimeUnixNano\":\"\(start)\",\"endTimeUnixNano\":\"\(end)\",\"attributes\":["
        text += attributes.map { attribute in
            let value =
                switch attribute.value {
                case .text(let text): "\"stringValue\":\(JSONText.quoted(text))"
                case .number(let number): "\"intValue\":\"\(number)\""
                case .truth(let truth): "\"boolValue\":\(truth)"
                }
            return "{\"key\":\(JSONText.quoted(attribute.name)),\"value\":{\(value)}}"
        }.joined(separator: ",")
        return text + "],\"status\":{\(hasFailed ? "\"code\":2" : "")}}"
    }

    private var kindNumber: Int {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    /// OTLP's `ExportTraceServiceRequest`.
    /// - Parameter instance: What tells this process from others, such as its address.
    package static func document(_ spans: [FinishedSpan], instance: String) -> String {
        """
        {"resourceSpans":[{"resource":{"attributes":[\
        {"key":"service.name","value":{"stringValue":"causeboard"}},\
        {"key":"service.instance.id","value":{"stringValue":\(JSONText.quoted(instance))}}]},\
        "scopeSpans":[{"scope":{"name":"causeboard"},"spans":[\(spans.map(\.json).joined(separator: ","))]}]}]}
        """
    }

    /// The span as a line, with its line feed.
    package var line: [UInt8] { Array((json + "\n").utf8) }
}

/// Texts in JSON.
package enum JSONText {
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || (0x2028...0x2029).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
