import Crypto
import Feeds
import FoundationEssentials

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
