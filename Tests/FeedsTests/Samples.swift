import Domain

@testable import Feeds

/// Feeds as the server makes them.
enum Samples {
    static let links = FeedLinks(publicURL: "https://scores.example.org/", tagAuthority: "abc.causeboard.invalid")
    static let relative = FeedLinks()

    static func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? Instant(microsecondsSince1970: 0) }

    struct Donor {
        var name: String
        var image: Value = .none
        var points: Int128 = 15
    }

    static func topScores(_ donors: [Donor]) -> Feed {
        Feed(
            title: "Top contributors", path: "/TopScores", names: ElementNames("customers", "customer"),
            columns: [
                Column("rank", .integer, role: .rank, for: .modern), Column("tied", .boolean, for: .programs),
                Column("player", .integer, role: .key, for: .programs), Column("name", .text, role: .title),
                Column("image", .picture), Column("points", .integer, role: .points),
                Column("reached_at", .instant, role: .moment, for: .modern), Column("avatar", .picture, for: .programs),
            ],
            rows: donors.enumerated().map { index, donor in
                [
                    .integer(Int128(index + 1)), .boolean(false), .integer(Int128(700 + index)), .text(donor.name),
                    donor.image, .integer(donor.points),
                    .instant(instant("2009-09-12T10:00:03.000250Z").advanced(bySeconds: -Int64(index))),
                    .link("/v1/avatars/00.png"),
                ]
            })
    }

    static func topScores(names: [String]) -> Feed { topScores(names.map { Donor(name: $0) }) }

    static func posts(_ posts: [(at: String, name: String, score: Int128)]) -> Feed {
        Feed(
            title: "High scores", path: "/high_scores", names: ElementNames("high_scores", "high_score"),
            columns: [
                Column("created_at", .instant, role: .moment), Column("player_name", .text, role: .title),
                Column("total_score", .integer, role: .points),
            ], rows: posts.map { [.instant(instant($0.at)), .text($0.name), .integer($0.score)] })
    }

    static func board() -> Feed {
        var feed = topScores([Donor(name: "yarri"), Donor(name: "<b>", points: 14)])
        feed.title = "High scores & more"
        feed.path = "/v1/games/default/boards/high-scores/top"
        feed.query = "window=week&limit=2"
        feed.columns[4].audience = .nobody
        feed.columns[7].audience = .everyone
        feed.head = Head(
            board: "high-scores", window: "week", from: instant("2026-11-16T00:00:00Z"),
            until: instant("2026-11-23T00:00:00Z"), zone: "UTC", final: false, ties: "shared", of: 300, next: "bmV4dA",
            prev: nil)
        return feed
    }

    static let everyFeed = [
        topScores([]), topScores(names: ["yarri", "Tom & Jerry"]), board(), posts([]),
        posts([("2009-09-12T10:00:03Z", "x", 1)]),
    ]

    /// Names of kinds that have broken feeds.
    static let hostileNames = [
        "", " ", "<script>alert(1)</script>", "]]>", "<![CDATA[", "<!--", "-->", "&amp;", "&", "&#0;", "\"", "'", "\\",
        "\\u0000", "a\"b,c;d", "\u{0}", "\u{1}", "\u{8}", "\t", "\n", "\r", "\r\n", "\u{1F}", "\u{7F}", "\u{85}",
        "\u{9F}", "\u{2028}", "\u{2029}", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "a\u{FEFF}bom", "\u{202E}rtl", "שלום",
        "مرحبا", "e\u{301}\u{301}", "👩‍👩‍👧‍👦", "ﬃ", "ＡＢ", "“x”", "=HYPERLINK(\"http://x\")", "@home", "</th></tr></table>",
        "</title>", "%00", "${x}", "{{x}}", "a b  c ",
    ]
}
