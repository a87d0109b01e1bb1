import Domain
import Testing

@testable import Feeds

@Suite struct BooksTests {
    @Test("the books are rows of totals, charities, games and the log, exact beyond 64 bits") func bytes() {
        #expect(
            text(.json) == """
                {"day":"2026-11-21","until":"2026-11-22T00:00:00.000000Z","zone":"UTC","final":true,"rows":[\
                {"kind":"total","name":"earned","points":100000000000000000000},\
                {"kind":"total","name":"voided","points":7},{"kind":"total","name":"held","points":3},\
                {"kind":"total","name":"left","points":99999999999999999950},\
                {"kind":"total","name":"funded","points":40},{"kind":"total","name":"given","points":42},\
                {"kind":"total","name":"unfunded","points":2},{"kind":"charity","name":"trees","points":40},\
                {"kind":"game","name":"maze","points":100000000000000000000},\
                {"kind":"log","name":"last","entry":9,"hash":"\(String(repeating: "0a", count: 32))"}]}

                """)
        let lines = text(.csv).split(separator: "\r\n")
        #expect(lines.first == "day,kind,name,points,entry,hash")
        #expect(lines.last == "2026-11-21,log,last,,9,\(String(repeating: "0a", count: 32))")
        #expect(text(.atom).contains("/books/charity/trees?day=2026-11-21</id>"))
        #expect(text(.atom).contains("<updated>2026-11-22T00:00:00.000000Z</updated>"))
    }

    @Test("a name of now is in no format, so that a charity which is renamed changes no past day") func names() {
        for format in FeedFormat.allCases { #expect(!text(format).contains("Name of now"), "\(format)") }
    }

    private func text(_ format: FeedFormat) -> String {
        var books = DayBooks(
            day: Instant(microsecondsSince1970: 1_795_219_200_000_000).dayInUTC, earned: 100_000_000_000_000_000_000,
            voided: 7, held: 3, donated: 42, unfunded: 2, logNumber: 9, logHash: [UInt8](repeating: 0x0A, count: 32))
        books.charities = [.init(slug: "trees", name: "Name of now", points: 40)]
        books.games = [.init(slug: "maze", name: "Name of now", points: 100_000_000_000_000_000_000)]
        return String(decoding: Feed.books(books, path: "/books").bytes(format, links: FeedLinks()), as: UTF8.self)
    }
}
