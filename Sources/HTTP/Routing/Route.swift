import Domain
import Feeds
import HTTPTypes

/// Every path that is served, in one table; a path that is not here is a 404.
enum Route: Equatable {
    /// Whose place is asked for.
    enum Who: Equatable {
        case player(Player.ID)
        /// The caller's.
        case me
    }

    case home, healthy, ready, metrics, contract
    // The classic protocol.
    case customers(suffix: DocumentFormat?)
    case customer(Player.ID, suffix: DocumentFormat?)
    case scores(suffix: DocumentFormat?)
    case donations(suffix: DocumentFormat?)
    case highScores(suffix: FeedFormat?)
    case topScores(suffix: FeedFormat?)
    // Who plays. What stands in a path as text is judged by its handler, which says what is wrong with it.
    case device(game: Slug, device: String)
    case gamePlayer(game: Slug, id: String)
    case me, myScores, myDonations
    case player(Player.ID)
    case avatar(AvatarHash)
    // What there is.
    case games
    case game(Slug)
    case boards(game: Slug)
    case board(game: Slug, board: Slug)
    // What is played and given.
    case score(game: Slug, board: Slug, id: String)
    case donation(charity: Slug, id: String)
    // Rankings.
    case boardTop(game: Slug, board: Slug, suffix: FeedFormat?)
    case boardPosition(game: Slug, board: Slug, Who)
    case boardAround(game: Slug, board: Slug, Who, suffix: FeedFormat?)
    case boardPointsRank(game: Slug, board: Slug)
    case charities(suffix: FeedFormat?)
    case charity(Slug)
    case charityTop(Slug, suffix: FeedFormat?)
    case contributorsTop(suffix: FeedFormat?)

    /// - Parameter path: Percent-escaped, without its query.
    init?(path: String) {
        guard path.utf8.first == UInt8(ascii: "/"), let parts = PathParts(path), let first = parts.first else {
            return nil
        }
        switch parts.count {
        case 1 where first.isEmpty: self = .home
        case 1: self.init(single: first)
        case 2 where first == "customers":
            guard let (digits, suffix) = Self.document(parts[1]), let id = Player.ID(digits: digits) else { return nil }
            self = .customer(id, suffix: suffix)
        case 2... where first == "v1": self.init(v1: parts.dropping(1))
        default: return nil
        }
    }

    private init?(single name: Substring) {
        switch name {
        case "healthz": self = .healthy
        case "readyz": self = .ready
        case "metrics": self = .metrics
        case "openapi.yaml": self = .contract
        default:
            if let (stem, suffix) = Self.feed(name), stem == "TopScores" || stem == "high_scores" {
                self = stem == "TopScores" ? .topScores(suffix: suffix) : .highScores(suffix: suffix)
                return
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

    /// The parts after `/v1`, at least one.
    private init?(v1 parts: PathParts) {
        switch (parts[0], parts.count) {
        case ("games", 1): self = .games
        case ("games", _):
            guard let game = Slug(parts[1]) else { return nil }
            self.init(inGame: game, parts.dropping(2))
        case ("players", 2):
            guard let who = Self.who(parts[1]) else { return nil }
            switch who {
            case .me: self = .me
            case .player(let id): self = .player(id)
            }
        case ("players", 3) where parts[1] == "me" && parts[2] == "scores": self = .myScores
        case ("players", 3) where parts[1] == "me" && parts[2] == "donations": self = .myDonations
        case ("avatars", 2):
            guard parts[1].hasSuffix(".png"), let hash = AvatarHash(hex: parts[1].dropLast(4)) else { return nil }
            self = .avatar(hash)
        case ("contributors", 2):
            guard let suffix = Self.feed(parts[1], named: "top") else { return nil }
            self = .contributorsTop(suffix: suffix)
        case ("charities", 2...):
            guard let charity = Slug(parts[1]) else { return nil }
            self.init(ofCharity: charity, parts.dropping(2))
        case (_, 1):
            guard let suffix = Self.feed(parts[0], named: "charities") else { return nil }
            self = .charities(suffix: suffix)
        default: return nil
        }
    }

    /// The parts after `/v1/games/{game}`.
    private init?(inGame game: Slug, _ parts: PathParts) {
        switch (parts.first, parts.count) {
        case (nil, _): self = .game(game)
        case ("boards", 1): self = .boards(game: game)
        case ("boards", _):
            guard let board = Slug(parts[1]) else { return nil }
            self.init(inGame: game, onBoard: board, parts.dropping(2))
        case ("devices", 2):
            guard let device = Self.unescaped(parts[1]) else { return nil }
            self = .device(game: game, device: device)
        case ("players", 2):
            guard let id = Self.unescaped(parts[1]) else { return nil }
            self = .gamePlayer(game: game, id: id)
        default: return nil
        }
    }

    /// The parts after `/v1/games/{game}/boards/{board}`.
    private init?(inGame game: Slug, onBoard board: Slug, _ parts: PathParts) {
        switch (parts.first, parts.count) {
        case (nil, _): self = .board(game: game, board: board)
        case ("rank", 1): self = .boardPointsRank(game: game, board: board)
        case ("scores", 2): self = .score(game: game, board: board, id: String(parts[1]))
        case ("players", 2):
            guard let who = Self.who(parts[1]) else { return nil }
            self = .boardPosition(game: game, board: board, who)
        case ("players", 3):
            guard let who = Self.who(parts[1]), let suffix = Self.feed(parts[2], named: "around") else { return nil }
            self = .boardAround(game: game, board: board, who, suffix: suffix)
        case (let last?, 1):
            guard let suffix = Self.feed(last, named: "top") else { return nil }
            self = .boardTop(game: game, board: board, suffix: suffix)
        default: return nil
        }
    }

    /// The parts after `/v1/charities/{charity}`.
    private init?(ofCharity charity: Slug, _ parts: PathParts) {
        switch (parts.first, parts.count) {
        case (nil, _): self = .charity(charity)
        case ("donations", 2): self = .donation(charity: charity, id: String(parts[1]))
        case (let last?, 1):
            guard let suffix = Self.feed(last, named: "top") else { return nil }
            self = .charityTop(charity, suffix: suffix)
        default: return nil
        }
    }

    /// What may be done there, for `Allow` and the 405. `HEAD` comes with `GET`.
    var methods: [HTTPRequest.Method] {
        switch self {
        case .home, .healthy, .ready, .metrics, .contract, .topScores, .myScores, .myDonations, .player, .avatar,
            .games, .game, .boards,
            .board,
            .boardTop, .boardPosition, .boardAround, .boardPointsRank, .charities, .charity, .charityTop,
            .contributorsTop:
            [.get, .head, .options]
        case .customers, .scores, .donations: [.put, .post, .options]
        case .customer, .score, .donation: [.get, .head, .put, .options]
        case .device, .gamePlayer: [.put, .options]
        case .me: [.get, .head, .patch, .options]
        case .highScores: [.get, .head, .post, .options]
        }
    }

    /// Readable from pages of other sites (CORS): bearer tokens, never cookies.
    var isOpenToOtherSites: Bool {
        switch self {
        case .home, .healthy, .ready, .metrics, .customers, .customer, .scores, .donations, .highScores: false
        case .topScores, .contract, .device, .gamePlayer, .me, .myScores, .myDonations, .player, .avatar, .games, .game,
            .boards, .board,
            .score, .donation, .boardTop, .boardPosition, .boardAround, .boardPointsRank, .charities, .charity,
            .charityTop, .contributorsTop:
            true
        }
    }

    /// Whether its callers expect XML when they say nothing.
    var isClassic: Bool {
        switch self {
        case .customers, .customer, .scores, .donations, .highScores, .topScores: true
        default: false
        }
    }

    /// Whether a path that is no route is near a classic one, so that its callers expect XML.
    static func isClassic(path: String) -> Bool {
        ["/customers", "/scores", "/donations", "/high_scores", "/TopScores"].contains(where: path.hasPrefix)
    }

    private static func unescaped(_ part: Substring) -> String? {
        String(validating: FormBody.unescaped(Array(part.utf8), plusIsSpace: false), as: UTF8.self)
    }

    private static func who(_ part: Substring) -> Who? {
        part == "me" ? .me : Player.ID(digits: part).map(Who.player)
    }

    /// `TopScores.csv` -> (`TopScores`, csv); a suffix that is none makes it nil.
    private static func feed(_ name: Substring) -> (stem: Substring, suffix: FeedFormat?)? {
        split(name) { FeedFormat(rawValue: $0) }
    }

    /// The suffix of a feed of this name, which may be absent; nil for another name.
    private static func feed(_ name: Substring, named stem: String) -> FeedFormat?? {
        guard let (found, suffix) = feed(name), found == stem else { return nil }
        return .some(suffix)
    }

    private static func document(_ name: Substring) -> (stem: Substring, suffix: DocumentFormat?)? {
        split(name) { DocumentFormat(rawValue: $0) }
    }

    private static func split<Format>(_ name: Substring, _ format: (String) -> Format?) -> (
        stem: Substring, suffix: Format?
    )? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (name, nil) }
        guard let suffix = format(String(name[name.index(after: dot)...])) else { return nil }
        return (name[..<dot], suffix)
    }
}
