import Domain
import Drawings
import HTTPServer
import Pages

/// The query of a page or an embed, parsed. What it does not know it ignores.
struct PageQuery {
    /// The parameters that a page knows.
    struct Shape: OptionSet {
        let rawValue: UInt16

        static let window = Shape(rawValue: 1 << 0)
        static let season = Shape(rawValue: 1 << 1)
        static let from = Shape(rawValue: 1 << 2)
        /// `find` and `player`.
        static let search = Shape(rawValue: 1 << 3)
        /// `size`, `ink`, `paper` and `accent`.
        static let style = Shape(rawValue: 1 << 4)
        static let limit = Shape(rawValue: 1 << 5)
        static let form = Shape(rawValue: 1 << 6)

        static let day = Shape(rawValue: 1 << 7)
        static let of = Shape(rawValue: 1 << 8)

        static let board: Shape = [.window, .season, .from, .search]
        static let contributors: Shape = [.window, .from]
        static let countries: Shape = [.window, .of]
        static let winners: Shape = [.season]
        static let embed: Shape = [.window, .limit, .style]
        static let picture: Shape = [.style, .form]
    }

    /// The form of a charity's picture.
    enum PictureShape: String { case thermometer, badge }

    var language: Language?
    var window = Window.all
    var season: Int32?
    var from: Int64 = 1
    /// A name to look for. A page with one is not cached, so that nothing that somebody typed names a page.
    var name: PlayerName?
    var player: Player.ID?
    /// A day in UTC.
    var day: Day?
    /// The country whose regions are shown.
    var country: CountryFlag?
    var limitRows = Self.limitRowsStandard
    var style = EmbedStyle()
    var shape = PictureShape.thermometer
    /// The known part of the query in one form, which names the page in the cache; the language is not in it.
    private(set) var canonical = ""
    /// See ``FeedQuery/isPlain``.
    private(set) var isPlain: Bool

    static let limitRowsStandard = 10
    static let limitRowsMax = 25

    /// - Throws: 400 for a value that its parameter cannot have.
    init(_ request: Request, _ known: Shape = []) throws(Problem) {
        let parameters = try QueryParameters(request.target, plusIsSpace: true)
        isPlain = parameters.isPlain
        var values: [(name: String, value: String)] = []
        for parameter in parameters.all {
            let (name, text) = (parameter.name, parameter.value)
            guard name.utf8.count <= Self.nameBytesMax, try read(name, text, known) else {
                isPlain = false
                continue
            }
            if values.contains(where: { $0.name == name }) { isPlain = false }
            values.removeAll { $0.name == name }
            values.append((name, text))
        }
        values.removeAll { $0.name == "lang" || $0.name == "find" }
        canonical = values.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// - Returns: False for a parameter that the page does not know.
    private mutating func read(_ name: String, _ text: String, _ known: Shape) throws(Problem) -> Bool {
        switch name {
        case "lang":
            guard let language = Language.find(text) else { throw .badLanguage }
            self.language = language
        case "window" where known.contains(.window):
            guard let window = Window(text) else { throw .badWindow }
            self.window = window
        case "season" where known.contains(.season):
            season = Int32(clamping: try Self.number(text, name, 1...Int64(Int32.max), "as a season"))
        case "from" where known.contains(.from):
            from = try Self.number(text, name, 1...Int64(Int32.max), "as the first position")
        case "find" where known.contains(.search):
            do throws(FieldError) { self.name = text.isEmpty ? nil : try PlayerName(text, field: name) } catch {
                throw .badSearch
            }
        case "player" where known.contains(.search):
            guard let player = Player.ID(digits: Substring(text)) else { throw .badPlayer }
            self.player = player
        case "limit" where known.contains(.limit):
            limitRows = Int(clamping: try Self.number(text, name, 1...Int64(Self.limitRowsMax), "rows"))
        case "size" where known.contains(.style):
            guard text.utf8.count == 1, let size = SignSize(rawValue: text) else { throw .badSize }
            style.size = size
        case "ink" where known.contains(.style): style.ink = try Self.colour(text, name)
        case "paper" where known.contains(.style): style.paper = try Self.colour(text, name)
        case "accent" where known.contains(.style): style.accent = try Self.colour(text, name)
        case "day" where known.contains(.day): day = try FeedQuery.day(text)
        case "of" where known.contains(.of):
            guard let flag = CountryFlag(text), !flag.isRegion else { throw Problem.badCountry(name) }
            country = flag
        case "shape" where known.contains(.form):
            guard text.utf8.count <= Self.nameBytesMax + 4, let shape = PictureShape(rawValue: text) else {
                throw .badShape
            }
            self.shape = shape
        default: return false
        }
        return true
    }

    private static func number(_ text: String, _ field: String, _ range: ClosedRange<Int64>, _ what: String)
        throws(Problem) -> Int64
    {
        guard text.utf8.count <= 12, let value = Int64(text), range.contains(value), text == String(value) else {
            throw Problem.outOfRange(field, range, what)
        }
        return value
    }

    private static func colour(_ text: String, _ field: String) throws(Problem) -> HexColor {
        guard let colour = HexColor(text) else { throw .badColour(field) }
        return colour
    }

    /// Bytes of the longest name.
    private static let nameBytesMax = 7
}
