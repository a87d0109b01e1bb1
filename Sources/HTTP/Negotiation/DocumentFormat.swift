/// What a classic write answers in.
enum DocumentFormat: String, CaseIterable {
    case xml, json

    /// The suffix if there is one, else what `Accept` likes best, else XML.
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
