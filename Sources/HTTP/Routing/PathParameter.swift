import Domain
import Feeds
import FoundationEssentials

/// A value that a path can contain. `read` gives back the value that `pathText` was written from.
protocol PathParameter: Sendable {
    /// Reads the value from a path.
    /// - Parameter text: The text in the path, percent-escaped. A suffix comes with its dot, or empty when it is
    ///   absent.
    /// - Returns: Nil when no address has this text there.
    static func read(_ text: Substring) -> Self?

    var pathText: String { get }

    /// True for a suffix such as `.json`, which follows the last segment and may be absent.
    static var isSuffix: Bool { get }
}

extension PathParameter { static var isSuffix: Bool { false } }

extension Slug: PathParameter {
    static func read(_ text: Substring) -> Slug? { Slug(text) }
    var pathText: String { description }
}

extension Player.ID: PathParameter {
    static func read(_ text: Substring) -> Player.ID? { Player.ID(digits: text) }
    var pathText: String { String(rawValue) }
}

extension AvatarHash: PathParameter {
    static func read(_ text: Substring) -> AvatarHash? { AvatarHash(hex: text) }
    var pathText: String { hex }
}

/// Any text, percent-escaped. The handler judges it and says what is wrong with it.
extension String: PathParameter {
    static func read(_ text: Substring) -> String? {
        String(validating: FormBody.unescaped(Array(text.utf8), plusIsSpace: false), as: UTF8.self)
    }

    var pathText: String {
        var escaped = ""
        for byte in utf8 {
            switch byte {
            // The unreserved characters of RFC 3986, section 2.3.
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + Hex.text([byte]).uppercased()
            }
        }
        return escaped
    }
}

/// The client's own id of a score or a donation. Every text matches the route, so that the handler can refuse the
/// caller before it complains about the id.
struct ClientID: PathParameter, Equatable {
    let pathText: String

    init(_ id: UUID) { pathText = id.text }

    private init(pathText: String) { self.pathText = pathText }

    static func read(_ text: Substring) -> ClientID? { ClientID(pathText: String(text)) }

    /// - Throws: 400 when the text is no UUID.
    func uuid() throws(Problem) -> UUID {
        guard let id = UUID(text: pathText) else { throw Problem.badPathID }
        return id
    }
}

/// A format that a path may name after a dot at its end.
protocol PathSuffix: RawRepresentable<String>, Sendable {}

/// The pictures of a charity's total.
enum PictureFormat: String, PathSuffix, CaseIterable { case svg, png }

extension FeedFormat: PathSuffix {}
extension DocumentFormat: PathSuffix {}

extension Optional: PathParameter where Wrapped: PathSuffix {
    static func read(_ text: Substring) -> Wrapped?? {
        guard !text.isEmpty else { return .some(nil) }
        return Wrapped(rawValue: String(text.dropFirst())).map(Optional.some)
    }

    var pathText: String { map { ".\($0.rawValue)" } ?? "" }

    static var isSuffix: Bool { true }
}
