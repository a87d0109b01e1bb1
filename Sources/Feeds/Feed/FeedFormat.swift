/// The six formats of every feed. A new format is a new case here: the compiler then asks for its media type, its label
/// and its writer.
package enum FeedFormat: String, CaseIterable, Sendable {
    case xml, json, plist, csv, atom, html

    /// What follows the dot in a path: `xml`, `json`, ...
    package var suffix: String { rawValue }

    /// Type and subtype alone, in lower case: what an `Accept` header is matched with.
    package var mediaType: String {
        switch self {
        case .xml: "application/xml"
        case .json: "application/json"
        case .plist: "application/x-plist"
        case .csv: "text/csv"
        case .atom: "application/atom+xml"
        case .html: "text/html"
        }
    }

    /// The whole `Content-Type`. JSON and plist say their encoding themselves. (The classic `/high_scores.xml` is a
    /// plist under ``xml``'s type.)
    package var contentType: String {
        switch self {
        case .json, .plist: mediaType
        case .csv: "text/csv; charset=utf-8; header=present"
        case .xml, .atom, .html: mediaType + "; charset=utf-8"
        }
    }

    /// What a link to this format says.
    var label: StaticString {
        switch self {
        case .xml: "XML"
        case .json: "JSON"
        case .plist: "plist"
        case .csv: "CSV"
        case .atom: "Atom"
        case .html: "Web page"
        }
    }

    /// Writes a whole feed at the end of `writer`.
    func write(_ feed: Feed, links: FeedLinks, to writer: inout ByteWriter) {
        switch self {
        case .xml: feed.writeXML(links: links, to: &writer)
        case .json: feed.writeJSON(links: links, to: &writer)
        case .plist: feed.writePlist(links: links, to: &writer)
        case .csv: feed.writeCSV(links: links, to: &writer)
        case .atom: feed.writeAtom(links: links, to: &writer)
        case .html: feed.writeHTML(links: links, to: &writer)
        }
    }
}
