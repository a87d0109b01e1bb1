/// What a classic write answers in.
enum DocumentFormat: String, CaseIterable {
    case xml, json

    var mediaType: String { "application/\(rawValue)" }
    var contentType: String {
        switch self {
        case .xml: "application/xml; charset=utf-8"
        case .json: "application/json"
        }
    }
}
