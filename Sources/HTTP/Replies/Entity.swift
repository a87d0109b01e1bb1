import Crypto
import Domain
import Feeds
import FoundationEssentials
import Gzip
import HTTPTypes
import Hummingbird

/// Bytes that many will ask for again: with a strong ETag for each content coding, 304 and gzip.
struct Entity {
    let bytes: [UInt8]
    let contentType: String
    /// The path had no suffix, so `Accept` chose.
    let variesByAccept: Bool

    /// The answer to a GET or HEAD with these headers.
    func response(to request: HTTPFields) -> Response {
        let isGzip = Accept(request[.acceptEncoding]).takes(coding: "gzip")
        let sent = isGzip ? gzip(bytes) : bytes
        let etag = Self.etag(of: sent)
        var headers: HTTPFields = [
            .eTag: etag, .cacheControl: "public, max-age=0, must-revalidate",
            .vary: variesByAccept ? "Accept-Encoding, Accept" : "Accept-Encoding",
        ]
        if let known = request[.ifNoneMatch], Self.matches(known, etag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        if contentType == FeedFormat.html.contentType { headers[.contentSecurityPolicy] = Self.pagePolicy }
        if isGzip { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: sent)))
    }

    /// A page is its own style, its pictures and nothing else: whatever a name contains could not run.
    private static let pagePolicy: String = {
        let style = Data(SHA256.hash(data: Array(Feed.pageStyle.description.utf8))).base64EncodedString()
        return "default-src 'none'; img-src 'self' data:; style-src 'sha256-\(style)'; base-uri 'none'; form-action 'none'"
    }()

    /// A hash of the bytes as they are sent, so that every process and every restart agrees: 128 bits are plenty.
    private static func etag(of bytes: [UInt8]) -> String {
        "\"\(Hex.text(SHA256.hash(data: bytes).prefix(16)))\""
    }

    /// `If-None-Match` is a list of tags, weak ones compared like strong ones, or `*` (RFC 9110, section 13.1.2).
    static func matches(_ header: String, _ etag: String) -> Bool {
        header.split(separator: ",").contains { tag in
            let tag = tag.filter { !$0.isWhitespace }
            return tag == "*" || tag == etag || tag == "W/" + etag
        }
    }
}
