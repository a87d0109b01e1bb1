import Domain
import Feeds
import HTTPTypes

/// Every path that is served, in one table; a path that is not here is a 404.
enum Route: Equatable {
    case home
    case healthy
    case ready
    case customers(suffix: DocumentFormat?)
    case customer(Player.ID, suffix: DocumentFormat?)
    case scores(suffix: DocumentFormat?)
    case donations(suffix: DocumentFormat?)
    case highScores(suffix: FeedFormat?)
    case topScores(suffix: FeedFormat?)
    case boardTop(game: Slug, board: Slug, suffix: FeedFormat?)
    case charities(suffix: FeedFormat?)
    case avatar(AvatarHash)

    /// - Parameter path: Percent-escaped, without its query; nothing here needs an escape.
    init?(path: some StringProtocol) {
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard path.first == "/", let first = parts.first else { return nil }
        switch parts.count {
        case 1 where first.isEmpty: self = .home
        case 1: self.init(single: first)
        case 2 where first == "customers":
            guard let (digits, suffix) = Self.document(parts[1]), let id = Int64(digits), id > 0, digits.first != "+" else { return nil }
            self = .customer(Player.ID(rawValue: id), suffix: suffix)
        case 2...6 where first == "v1": self.init(v1: parts.dropFirst())
        default: return nil
        }
    }

    private init?(single name: some StringProtocol) {
        switch name {
        case "healthz": self = .healthy
        case "readyz": self = .ready
        default:
            if let (stem, suffix) = Self.feed(name) {
                switch stem {
                case "TopScores":
                    self = .topScores(suffix: suffix)
                    return
                case "high_scores":
                    self = .highScores(suffix: suffix)
                    return
                default: break
                }
            }
            guard let (stem, suffix) = Self.document(name) else { return nil }
            switch stem {
            case "customers": self = .customers(suffix: suffix)
            case "scores": self = .scores(suffix: suffix)
            case "donations": self = .donations(suffix: suffix)
            default: return nil
            }
        }
    }

    private init?(v1 parts: some RandomAccessCollection<some StringProtocol>) {
        let parts = Array(parts)
        switch (parts[0], parts.count) {
        case ("avatars", 2):
            guard parts[1].hasSuffix(".png"), let hash = AvatarHash(hex: parts[1].dropLast(4)) else { return nil }
            self = .avatar(hash)
        case ("games", 5) where parts[2] == "boards":
            guard let (stem, suffix) = Self.feed(parts[4]), stem == "top", let game = Slug(parts[1]), let board = Slug(parts[3]) else {
                return nil
            }
            self = .boardTop(game: game, board: board, suffix: suffix)
        case (_, 1):
            guard let (stem, suffix) = Self.feed(parts[0]), stem == "charities" else { return nil }
            self = .charities(suffix: suffix)
        default: return nil
        }
    }

    /// What may be done there, for `Allow` and the 405. `HEAD` comes with `GET`.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .home, .healthy, .ready, .topScores, .boardTop, .charities, .avatar: [.get, .head, .options]
        case .customers, .scores, .donations: [.put, .post, .options]
        case .customer: [.get, .head, .put, .options]
        case .highScores: [.get, .head, .post, .options]
        }
    }

    /// Readable from pages of other sites (CORS): bearer tokens, never cookies.
    var isOpenToOtherSites: Bool {
        switch self {
        case .topScores, .boardTop, .charities, .avatar: true
        case .home, .healthy, .ready, .customers, .customer, .scores, .donations, .highScores: false
        }
    }

    /// Whether its callers expect XML when they say nothing.
    var isClassic: Bool {
        switch self {
        case .customers, .customer, .scores, .donations, .highScores, .topScores: true
        case .home, .healthy, .ready, .boardTop, .charities, .avatar: false
        }
    }

    /// Whether a path that is no route is near a classic one, so that its callers expect XML.
    static func isClassic(path: String) -> Bool {
        ["/customers", "/scores", "/donations", "/high_scores", "/TopScores"].contains(where: path.hasPrefix)
    }

    /// `TopScores.csv` -> (`TopScores`, csv); a suffix that is none makes it nil.
    private static func feed(_ name: some StringProtocol) -> (stem: Substring, suffix: FeedFormat?)? {
        split(name) { FeedFormat(rawValue: $0) }
    }

    private static func document(_ name: some StringProtocol) -> (stem: Substring, suffix: DocumentFormat?)? {
        split(name) { DocumentFormat(rawValue: $0) }
    }

    private static func split<Format>(_ name: some StringProtocol, _ format: (String) -> Format?) -> (stem: Substring, suffix: Format?)? {
        let name = Substring(name)
        guard let dot = name.lastIndex(of: ".") else { return (name, nil) }
        guard let suffix = format(String(name[name.index(after: dot)...])) else { return nil }
        return (name[..<dot], suffix)
    }
}
