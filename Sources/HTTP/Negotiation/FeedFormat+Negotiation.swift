import Feeds

extension FeedFormat {
    /// The format of a feed: its suffix if it has one, else what `Accept` likes best.
    /// - Parameter isClassic: Then XML is what a caller gets who does not care, else JSON.
    static func chosen(suffix: FeedFormat?, accept: String?, isClassic: Bool) throws(Problem) -> FeedFormat {
        if let suffix { return suffix }
        let first: FeedFormat = isClassic ? .xml : .json
        let offers = [first] + allCases.filter { $0 != first }
        guard let format = Accept(accept).best(of: offers, types: \.mediaTypes) else {
            throw Problem(.notAcceptable, "There is no such format. Accept one of \(allCases.map(\.mediaType).joined(separator: ", ")).")
        }
        return format
    }

    /// All names that clients know a format by.
    private var mediaTypes: [String] {
        switch self {
        case .xml: [mediaType, "text/xml"]
        case .plist: [mediaType, "application/plist"]
        case .html: [mediaType, "application/xhtml+xml"]
        case .json, .csv, .atom: [mediaType]
        }
    }
}
