import Credentials
import Domain
import HTTPServer
import Storage

/// The query of a ranking or history, parsed. A number out of range is refused, never clamped.
struct FeedQuery {
    /// The parameters that a route knows; others are ignored, and name no feed of their own.
    struct Shape {
        var keys: Keys
        /// Rows when the query has no `limit`.
        var standardRows = Limits.feedRowsStandard
        var limitRowsMax = Limits.feedRowsMax

        static let topScores = Shape(
            keys: [.charity, .window, .limit, .image], standardRows: Limits.topScoresRowsMax,
            limitRowsMax: Limits.topScoresRowsMax)
        static let board = Shape(keys: [.window, .season, .limit, .country, .team, .page])
        static let countries = Shape(keys: [.window, .season, .limit, .of, .after, .before, .from])
        static let contributors = Shape(keys: [.window, .limit, .page])
        static let friends = Shape(keys: [.window, .season, .limit, .from])
        static let friendsOfContributors = Shape(keys: [.window, .limit, .from])
        static let teams = Shape(keys: [.window, .season, .limit, .after, .before, .from])
        static let donorTeams = Shape(keys: [.window, .limit, .after, .before, .from])
        static let charities = Shape(keys: [.limit, .after, .before, .from], standardRows: Limits.feedRowsMax)
        static let around = Shape(keys: [.window, .season, .limit], standardRows: Limits.aroundRowsStandard)
        static let position = Shape(keys: [.window, .season])
        static let history = Shape(keys: [.limit, .after, .before])
        static let winners = Shape(
            keys: [.season, .limit], standardRows: Limits.winnersSeasonsStandard, limitRowsMax: Limits.winnersSeasonsMax
        )
        static let books = Shape(keys: .day)
        static let points = Shape(keys: [.window, .season, .points])
    }

    /// Which rows of the ranking are asked for.
    enum RowSelection: Equatable {
        case from(Int64)
        /// After a cursor, whose content this server has sealed.
        case after([UInt8])
        case before([UInt8])
        case players([Player.ID])
    }

    var charity: Slug?
    /// Whose players are ranked, or whose regions.
    var country: CountryFlag?
    var window = Window.all
    var season: Int32?
    var limitRows: Int
    var selection = RowSelection.from(1)
    var points: Int64?
    /// The team among whose members the board is read.
    var team: Team.ID?
    /// A day in UTC.
    var day: Day?
    var pictures = PictureMode.embed
    /// The query as the feed's own links repeat it: known keys with valid values, sorted, without the page.
    var canonical: String
    /// The page as the feed's own links repeat it; empty for the first page.
    var page = ""
    /// Whether the query's text is the only one that asks for this in this order of parameters: all of them are known,
    /// none comes twice, and nothing is escaped. Strangers can make up endless other texts, which are not remembered.
    private(set) var isPlain: Bool

    /// - Parameter secret: Opens cursors, so that a query has only those that this server has made.
    init(_ request: Request, _ shape: Shape, _ secret: Secret) throws(Problem) {
        let parameters = try request.parameters()
        isPlain = parameters.isPlain
        var keysSeen: Keys = []
        var sealedCursor: (key: Keys, text: String)?
        var canonicalPairs: [(name: String, text: String)] = []
        limitRows = shape.standardRows
        canonical = ""
        for parameter in parameters.all {
            let (name, text) = (parameter.name, parameter.value)
            guard let key = Keys(name: name), shape.keys.contains(key) else {
                isPlain = false
                continue
            }
            if !keysSeen.insert(key).inserted { isPlain = false }
            switch key {
            case .limit: limitRows = try Self.number(text, name, 1...Int64(shape.limitRowsMax), "rows")
            case .season: season = try Self.number(text, name, 1...Int64(Int32.max), "as a season")
            case .from: selection = .from(try Self.number(text, name, 1...Int64(Int32.max), "as the first position"))
            case .after, .before: sealedCursor = (key, text)
            case .players: selection = .players(try Self.players(text))
            case .window: window = try Self.window(text)
            case .day: day = try Self.day(text)
            case .team:
                guard let id = Team.ID(digits: text[...]) else { throw Problem.noTeam }
                team = id
            case .points:
                guard let value = Int64(text), text.utf8.first != UInt8(ascii: "+") else { throw Problem.badPoints }
                points = value
            case .charity:
                guard let slug = Slug(text) else { throw Problem.noCharity }
                charity = slug
            case .country, .of:
                guard let flag = CountryFlag(text), key == .country || !flag.isRegion else {
                    throw Problem.badCountry(name)
                }
                country = flag
            case .image:
                guard let pictures = PictureMode(text) else { throw Problem.badImage }
                self.pictures = pictures
            default: continue
            }
            if Keys.page.contains(key) {
                page = "\(name)=\(text)"
            } else {
                canonicalPairs.removeAll { $0.name == name }
                canonicalPairs.append((name, text))
            }
        }
        let pageKeysSeen = keysSeen.intersection(.page)
        guard pageKeysSeen.count <= 1 else { throw Problem.twoPages(pageKeysSeen.names.min()) }
        guard keysSeen.intersection([.country, .team, .players]).count <= 1 else { throw Problem.twoSets }
        if let (key, text) = sealedCursor {
            let bytes = try secret.cursorBytes(text, field: key == .after ? "after" : "before")
            selection = key == .after ? .after(bytes) : .before(bytes)
        }
        if canonicalPairs.count > 1 { canonicalPairs.sort { $0.name < $1.name } }
        for (name, text) in canonicalPairs {
            if !canonical.isEmpty { canonical += "&" }
            canonical += name
            canonical += "="
            canonical += text
        }
    }

    /// The requested page, and the days that its cursor has fixed.
    /// - Throws: 400 for a cursor of another board or window.
    func pageRequest(of board: Board.ID?) throws(Problem) -> (pageRequest: PageRequest, days: ClosedRange<Day>?) {
        switch selection {
        case .from(let position): return (.from(position), nil)
        case .after(let bytes):
            let cursor = try cursor(bytes, of: board, "after")
            return (.after(cursor.sortKey), cursor.days)
        case .before(let bytes):
            let cursor = try cursor(bytes, of: board, "before")
            return (.before(cursor.sortKey), cursor.days)
        case .players: return (.top, nil)
        }
    }

    private func cursor(_ bytes: [UInt8], of board: Board.ID?, _ field: String) throws(Problem) -> RankingCursor {
        guard let cursor = RankingCursor(bytes: bytes), cursor.board == board, cursor.window == window.name else {
            throw Problem.badCursor(field)
        }
        return cursor
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String, _ field: String, _ range: ClosedRange<Int64>, _ what: String
    ) throws(Problem) -> Number {
        guard let value = Int64(text), range.contains(value), text == String(value) else {
            throw Problem.outOfRange(field, range, what)
        }
        return Number(clamping: value)
    }

    private static func players(_ text: String) throws(Problem) -> [Player.ID] {
        var players: [Player.ID] = []
        let parts = text.utf8.split(
            separator: UInt8(ascii: ","), maxSplits: Limits.playersInQueryMax, omittingEmptySubsequences: false)
        for part in parts {
            guard let id = Player.ID(digits: Substring(part)), players.count < Limits.playersInQueryMax else {
                throw Problem.badPlayers
            }
            if !players.contains(id) { players.append(id) }
        }
        return players
    }

    static func day(_ text: String) throws(Problem) -> Day {
        guard let day = Day(text: text) else { throw Problem.badDay }
        return day
    }

    private static func window(_ text: String) throws(Problem) -> Window {
        guard let window = Window(text) else { throw Problem.badWindow }
        return window
    }
}

/// How `TopScores` shows a player's picture.
enum PictureMode: String {
    /// As base64, so that one request brings everything.
    case embed
    /// As the address of the picture.
    case link

    init?(_ text: String) {
        // A longer text is none of them, and comparing a hostile one takes long.
        guard text.utf8.count <= 5 else { return nil }
        self.init(rawValue: text)
    }
}
