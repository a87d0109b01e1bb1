/// The six formats of every feed. For a new case the compiler asks for its media type, its label and its writer.
package enum FeedFormat: String, CaseIterable, Sendable {
    case xml, json, plist, csv, atom, html

    /// The suffix after the dot in a path: `xml`, `json`, ...
    package var suffix: String { rawValue }

    /// Type and subtype without parameters, in lower case, for matching an `Accept` header.
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

    /// The whole `Content-Type`. JSON and plist declare their encoding themselves. (The classic `/high_scores.xml` is a
    /// plist under the type of ``xml``.)
    package var contentType: String {
        switch self {
        case .json, .plist: mediaType
        case .csv: "text/csv; charset=utf-8; header=present"
        case .xml, .atom, .html: mediaType + "; charset=utf-8"
        }
    }

    /// The text of a link to this format.
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

    /// Appends a whole feed to `writer`.
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
