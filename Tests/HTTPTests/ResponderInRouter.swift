import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

@testable import HTTP

/// The responder behind Hummingbird's test client, without a socket.
struct ResponderInRouter: HTTPResponder {
    typealias Context = BasicRequestContext

    let responder: HTTP.Responder

    func respond(to request: Hummingbird.Request, context: BasicRequestContext) async throws -> Hummingbird.Response {
        var headers = HTTPHeaders()
        for field in request.headers { headers.add(name: field.name.rawName, value: field.value) }
        let response = await responder.respond(
            to: HTTP.Request(
                method: request.method,
                target: request.head.path ?? "",
                headers: RequestHeaders(headers),
                body: try await request.body.collect(upTo: .max)
            )
        )
        let answer = Hummingbird.Response(
            status: response.status,
            headers: response.headers,
            body: ResponseBody(byteBuffer: response.body)
        )
        return request.method == .head ? answer.createHeadResponse() : answer
    }
}
