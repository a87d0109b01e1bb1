import Domain
import Hummingbird
import Live

/// The query of a feed: what it asks for, and nothing else of it. Numbers out of range are refused, never clamped.
struct FeedQuery {
    var charity: Slug?
    var window = Window.all
    var limitRows: Int
    var pictures = PictureMode.embed
    /// As the feed's own links repeat it: known keys with good values only.
    var canonical: String

    /// - Parameters:
    ///   - keys: Those that the route knows; others are ignored.
    ///   - standardRows: For whoever does not say how many.
    ///   - limitRowsMax: The most that may be asked for.
    init(_ request: Request, keys: Set<String>, standardRows: Int, limitRowsMax: Int) throws(Problem) {
        var said: [(String, String)] = []
        limitRows = standardRows
        for (name, text) in request.uri.queryParameters where keys.contains(String(name)) {
            let text = String(text)
            switch name {
            case "limit":
                guard let rows = Int(text), (1...limitRowsMax).contains(rows), text == "\(rows)" else {
                    throw Problem(.malformed, "limit is out of range. Ask for 1 to \(limitRowsMax) rows.", field: "limit")
                }
                limitRows = rows
            case "window":
                guard let window = Window(text) else {
                    throw Problem(
                        .badWindow,
                        "There is no such window. Ask for all, today, yesterday, week, month, 2026-W47, 2026-11 or 2026-11-01..2026-11-20 (at most \(Limits.windowDaysMax) days).",
                        field: "window")
                }
                self.window = window
            case "charity":
                guard let slug = Slug(text) else {
                    throw Problem(.notFound, "There is no such charity. Name it by its slug.", field: "charity")
                }
                charity = slug
            case "image":
                guard let pictures = PictureMode(rawValue: text) else {
                    throw Problem(.malformed, "image is embed or link. Ask for one of them.", field: "image")
                }
                self.pictures = pictures
            default: continue
            }
            said.removeAll { $0.0 == name }
            said.append((String(name), text))
        }
        canonical = said.sorted { $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }
}
