import Crypto
import Domain
import Feeds
import FoundationEssentials
import Gzip
import HTTPServer
import HTTPTypes
import NIOCore

/// Bytes as they are sent to many clients: with a strong ETag for each content coding, 304 responses and gzip.
struct Entity: Sendable {
    private let sent: ByteBuffer
    let etag: String
    private let contentType: String
    private let policy: ContentPolicy?
    private let caching: Caching
    private let isGzip: Bool
    /// The length before compression.
    private let plainBytesCount: Int
    private let vary: Vary

    /// What of a request, besides its target and `Accept-Encoding`, chose the bytes.
    enum Vary {
        case nothing
        /// `Accept` chose the format, as the path has no suffix.
        case format
        /// `Accept-Language` chose the language.
        case language
    }

    /// How long a cache may answer without asking again.
    enum Caching {
        case revalidated
        case seconds(Int)
        /// The address changes with the bytes.
        case immutable
        /// It is for one player alone, and no cache may store it.
        case own
    }

    /// - Parameter isGzip: Whether the bytes are compressed; see ``takesGzip(_:)``.
    init(
        bytes: [UInt8], contentType: String, vary: Vary = .nothing, policy: ContentPolicy? = nil,
        caching: Caching = .revalidated, isGzip: Bool
    ) {
        let sent = isGzip ? gzip(bytes) : bytes
        self.sent = ByteBuffer(bytes: sent)
        self.etag = Self.etag(of: sent)
        self.contentType = contentType
        self.isGzip = isGzip
        self.plainBytesCount = bytes.count
        self.vary = vary
        self.policy = policy
        self.caching = caching
    }

    var body: ByteBuffer { sent }

    /// About how many bytes the entity takes in memory together with what it was made from: that is about as large as
    /// the bytes before compression.
    var bytesInCache: Int { sent.readableBytes + plainBytesCount + Self.overheadBytes }

    /// Bytes of the headers, of a cache's key and of the values that hold all of them.
    private static let overheadBytes = 1_024

    static func takesGzip(_ request: RequestHeaders) -> Bool { Accept(request[.acceptEncoding]).takes(coding: "gzip") }

    /// The response to a GET or HEAD request with these headers.
    func response(to request: RequestHeaders) -> Response {
        var headers = HTTPFields()
        headers.reserveCapacity(Self.fieldsExpected)
        headers[.eTag] = etag
        headers[fields: .cacheControl] = caching.fields
        headers[fields: .vary] = vary.fields
        if let known = request[.ifNoneMatch], Self.matches(known, etag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = contentType
        if let policy { headers[.contentSecurityPolicy] = policy.header }
        if isGzip { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The fields of most responses, those of every response included.
    private static let fieldsExpected = 8

    /// A tag made of the first 128 bits of the sent bytes' SHA-256, so that every process and every restart gives the
    /// same one.
    private static func etag(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).withUnsafeBytes { "\"\(Hex.text($0.prefix(16)))\"" }
    }

    /// Whether `If-None-Match` covers the tag: it is `*` or a list of tags, and weak tags are compared like strong ones
    /// (RFC 9110, section 13.1.2).
    static func matches(_ header: String, _ etag: String) -> Bool {
        // The comparison is by bytes, whatever a header contains.
        header.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            var tag = part.drop(while: JSONScanner.isSpace)
            while let last = tag.last, JSONScanner.isSpace(last) { tag = tag.dropLast() }
            if tag.elementsEqual("*".utf8) { return true }
            return (tag.starts(with: "W/".utf8) ? tag.dropFirst(2) : tag).elementsEqual(etag.utf8)
        }
    }
}

// Fields that are made once: each new one is searched for bytes that a header must not have.

extension Entity.Vary {
    fileprivate var fields: [HTTPField] {
        switch self {
        case .nothing: Self.byCoding
        case .format: Self.byFormat
        case .language: Self.byLanguage
        }
    }

    private static let byCoding = [HTTPField(name: .vary, value: "Accept-Encoding")]
    private static let byFormat = [HTTPField(name: .vary, value: "Accept-Encoding, Accept")]
    private static let byLanguage = [HTTPField(name: .vary, value: "Accept-Encoding, Accept-Language")]
}

extension Entity.Caching {
    fileprivate var fields: [HTTPField] {
        switch self {
        case .revalidated: Self.revalidatedFields
        case .seconds(let seconds): [HTTPField(name: .cacheControl, value: "public, max-age=\(seconds)")]
        case .immutable: Self.immutableFields
        case .own: Self.ownFields
        }
    }

    private static let revalidatedFields = [HTTPField(name: .cacheControl, value: "public, max-age=0, must-revalidate")]
    private static let immutableFields = [HTTPField(name: .cacheControl, value: "public, max-age=31536000, immutable")]
    private static let ownFields = [HTTPField(name: .cacheControl, value: "private, no-store")]
}

/// What a document may load and who may frame it (Content Security Policy, level 3).
enum ContentPolicy: Sendable {
    /// A feed as HTML: its own style and pictures, and nothing else, so that nothing in a hostile name can run.
    case feed
    /// A page: what this server serves.
    case page
    /// A page that any site may frame.
    case embed
    /// A picture that is opened by itself: nothing but its own attributes.
    case picture

    var header: String {
        switch self {
        case .feed: Self.feedHeader
        case .page: Self.own + "; frame-ancestors 'none'"
        case .embed: Self.own + "; frame-ancestors *"
        case .picture: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
        }
    }

    private static let own =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "form-action 'self'; base-uri 'none'"

    private static let feedHeader: String = {
        let style = Data(SHA256.hash(data: Array(Feed.pageStyle.description.utf8))).base64EncodedString()
        return "default-src 'none'; img-src 'self' data:; style-src 'sha256-\(style)'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
    }()
}
