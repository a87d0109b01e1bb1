import HTTPServer
import HTTPTypes
import Telemetry
import Tracing

// Spans of requests. Nothing of what a client chose is in them: no path, query, token or name.
extension Responder {
    /// - Returns: The span of a request; nil when it is not sampled.
    func beginTrace(of request: Request, _ tracer: SpanTracer) -> RecordedSpan? {
        tracer.beginRequest(
            traceparent: request.headProblem == nil ? request.headers[.traceparent] : nil,
            isTrusted: request.peer.listener == .admin || operations.requestIDs.trusts(request.peer))
    }

    func endTrace(_ span: RecordedSpan, of request: Request, _ response: Response) {
        let route = request.headProblem == nil ? find(request)?.route : nil
        span.operationName =
            route.map {
                "\($0.methods.contains(request.method) ? request.method.rawValue : "other") \($0.template.whole)"
            } ?? "none"
        span.attributes["http.response.status_code"] = response.status.code
        if let id = response.headers[.requestID] { span.attributes["request"] = id }
        if let route { span.attributes["http.route"] = route.template.whole }
        if response.status.kind == .serverError { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }
}

extension Operations {
    /// Begins a part of the request that this task answers.
    /// - Returns: A span that the caller ends; nil when the request is not traced.
    func beginSpan(_ name: String) -> (any Span)? {
        guard tracer != nil, let context = InstrumentationContext.current else { return nil }
        return InstrumentationSystem.tracer.startSpan(name, context: context)
    }
}

extension HTTPField.Name { static let traceparent = standard("Traceparent") }
