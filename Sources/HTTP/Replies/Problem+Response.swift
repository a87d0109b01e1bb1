import Domain
import Feeds
import HTTPTypes
import NIOCore

extension Problem {
    /// As problem+json (RFC 9457), or as the `<errors>` that classic XML callers expect.
    func response(as format: DocumentFormat) -> Response {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        if name.status == .serviceUnavailable { headers[.retryAfter] = "\(Limits.retryAfterSeconds)" }
        let body: [UInt8]
        switch format {
        case .xml:
            headers[.contentType] = format.contentType
            body = ErrorsDocument([sentence]).xml()
        case .json:
            headers[.contentType] = "application/problem+json"
            var fields = [
                Field("type", .text("/problems/\(name.rawValue)")), Field("title", .text(name.status.reasonPhrase)),
                Field("status", .integer(Int128(name.status.code))), Field("detail", .text(sentence)),
            ]
            if let field { fields.append(Field("field", .text(field))) }
            body = Document("problem", fields).bareJSON(links: FeedLinks())
        }
        return Response(status: name.status, headers: headers, body: ByteBuffer(bytes: body))
    }
}
