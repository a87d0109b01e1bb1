import Domain
import Feeds

/// An `Accept` or `Accept-Encoding` header: ranges with a quality each (RFC 9110, section 12.5).
struct Accept {
    private struct Range {
        let name: Substring
        /// In thousandths, 0...1,000.
        let quality: Int
    }

    private let ranges: [Range]

    /// - Parameter header: A nil or empty header accepts everything. Malformed parts are ignored, and so are those
    ///   after the first ``Limits/acceptRangesMax``.
    init(_ header: String?) {
        let parts = (header ?? "").utf8.split(separator: UInt8(ascii: ","), maxSplits: Limits.acceptRangesMax)
        ranges = parts.prefix(Limits.acceptRangesMax).compactMap { part in
            // Comparing texts beyond ASCII takes time that grows with the square of their length.
            guard part.allSatisfy({ $0 < 0x80 }) else { return nil }
            let text = Substring(part).lowercased()
            let pieces = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
            guard let name = pieces.first, !name.isEmpty else { return nil }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Self.quality($0.dropFirst(2)) } ?? 1_000
            return Range(name: name, quality: quality)
        }
    }

    /// The best of `offers`, which are in our own order of preference; nil when none is acceptable.
    /// - Parameter types: The media types of an offer. The first is the one that is sent: wildcards apply to it, and
    ///   refusing it refuses the offer. The others count only where the header names them.
    func best<Offer>(of offers: [Offer], types: (Offer) -> [String]) -> Offer? {
        guard !ranges.isEmpty else { return offers.first }
        var best: (offer: Offer, quality: Int)?
        for offer in offers {
            let names = types(offer)
            if let sent = names.first, ranges.contains(where: { $0.name == sent && $0.quality == 0 }) { continue }
            let named = ranges.filter { names.dropFirst().contains(String($0.name)) }.map(\.quality)
            let quality = ([names.first.map(quality(ofType:)) ?? 0] + named).max() ?? 0
            if quality > best?.quality ?? 0 { best = (offer, quality) }
        }
        return best?.offer
    }

    /// The language of the range with the highest quality that one of the languages satisfies: their codes are compared
    /// with the first subtag of the range, so that `de-AT` is answered in `de` (RFC 4647, section 3.4).
    /// - Parameter codes: In lower case.
    func bestLanguage(of codes: [String]) -> String? {
        var best: (code: String, quality: Int)?
        for range in ranges where range.quality > best?.quality ?? 0 {
            let subtag = range.name.prefix { $0 != "-" }
            if let code = codes.first(where: { $0 == subtag }) { best = (code, range.quality) }
        }
        return best?.code
    }

    /// Whether a content coding is accepted: the header names it with a quality above 0, or `*` covers it.
    func takes(coding: String) -> Bool {
        let named = ranges.first { $0.name == coding } ?? ranges.first { $0.name == "*" }
        return named.map { $0.quality > 0 } ?? false
    }

    /// The quality of the most specific range that covers the type.
    private func quality(ofType type: String) -> Int {
        let family = type.prefix { $0 != "/" } + "/*"
        let covering =
            ranges.first { $0.name == type } ?? ranges.first { $0.name == family } ?? ranges.first { $0.name == "*/*" }
        return covering?.quality ?? 0
    }

    private static func quality(_ text: Substring) -> Int {
        guard let value = Double(text), value.isFinite else { return 1_000 }
        return Int(min(max(value, 0), 1) * 1_000)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}

extension FeedFormat {
    /// The format of a feed: its suffix if it has one, else the best that `Accept` allows.
    /// - Parameter isClassic: Prefers XML instead of JSON when `Accept` leaves the choice.
    /// - Throws: 406 when `Accept` allows none.
    static func chosen(suffix: FeedFormat?, accept: String?, isClassic: Bool) throws(Problem) -> FeedFormat {
        if let suffix { return suffix }
        let first: FeedFormat = isClassic ? .xml : .json
        let offers = [first] + allCases.filter { $0 != first }
        guard let format = Accept(accept).best(of: offers, types: \.mediaTypes) else {
            throw Problem.notAcceptable(allCases.map(\.mediaType))
        }
        return format
    }

    /// All media types that clients use for the format; the first is the one that is sent.
    private var mediaTypes: [String] {
        switch self {
        case .xml: [mediaType, "text/xml"]
        case .plist: [mediaType, "application/plist"]
        case .html: [mediaType, "application/xhtml+xml"]
        case .json, .csv, .atom: [mediaType]
        }
    }
}

/// The format of the response to a classic write.
enum DocumentFormat: String, CaseIterable, Sendable {
    case xml, json

    /// The suffix if there is one, else the best that `Accept` allows, else XML.
    static func chosen(suffix: DocumentFormat?, accept: String?) -> DocumentFormat {
        suffix ?? Accept(accept).best(of: allCases) { [$0.mediaType] } ?? .xml
    }

    private var mediaType: String { "application/\(rawValue)" }
    var contentType: String {
        switch self {
        case .xml: "application/xml; charset=utf-8"
        case .json: "application/json"
        }
    }
}
