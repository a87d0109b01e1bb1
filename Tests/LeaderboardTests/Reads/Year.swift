import Domain
import Foundation
import Storage
import TestDatabases
import TestDice
import Testing

/// A year of boards of every policy, direction and way to count ties, in zones that change their clocks at every hour
/// that occurs, and of two charities. The year is 2023, which is past, so no time zone's data of it will change.
struct Year: Sendable {
    /// Clocks change by half an hour on Lord Howe, at midnight in Asunción and Beirut, from 1:00 to midnight on the
    /// Azores, and never in UTC.
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Atlantic/Azores", "Pacific/Auckland", "Australia/Lord_Howe",
        "America/Asuncion", "Asia/Beirut", "UTC",
    ]
    private static let boardsCount = 12
    static let resetAt = Instant.at("2023-07-02T10:00:00Z")

    let database: TestDatabase
    private(set) var boards: [String: Rules] = [:]
    private(set) var charities: [String: Rules] = [:]
    /// When the clocks of each zone change.
    private(set) var changes: [TimeZone: [Instant]] = [:]
    private(set) var players: [Player.ID] = []
    private(set) var names: [Player.ID: String] = [:]
    /// Boards that begin a second season in the middle of the year.
    let reset = ["board-0", "board-7"]

    init(_ database: TestDatabase, seed: UInt64, playersCount: Int) async throws {
        self.database = database
        let turn = Int(seed % UInt64(Self.zones.count))
        for index in 0..<Self.boardsCount {
            let name = Self.zones[(index + turn) % Self.zones.count]
            let rules = Rules(
                policy: Board.Policy.allCases[index % 3], lowestFirst: index / 3 % 2 == 1,
                ties: index / 6 == 0 ? .first : .shared, zone: try Self.zone(name),
                closesAt: index == 4 ? .at("2023-10-29T01:00:00Z") : nil)
            try await database.addBoard("board-\(index)") {
                ($0.policy, $0.lowestFirst, $0.ties, $0.zone, $0.closesAt) = (
                    rules.policy, rules.lowestFirst, rules.ties, name, rules.closesAt
                )
            }
            boards["board-\(index)"] = rules
        }
        for (slug, zone) in [
            ("trees", Self.zones[(3 + turn) % Self.zones.count]), ("seas", Self.zones[(6 + turn) % Self.zones.count]),
        ] {
            let closesAt: Instant? = slug == "seas" ? .at("2023-10-29T01:00:00Z") : nil
            try await database.addCharity(slug, zone: zone) { if let closesAt { $0.closesAt = .set(closesAt) } }
            charities[slug] = .donationBoard(in: try Self.zone(zone), closesAt: closesAt)
        }
        for rules in Array(boards.values) + Array(charities.values) + [.donationBoard(in: .gmt)] {
            changes[rules.zone] = Self.changes(of: rules.zone)
        }
        for index in 0..<playersCount {
            let player = try await database.addPlayer("player \(index)", points: 1_000_000)
            players.append(player)
            names[player] = "player \(index)"
        }
    }

    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    /// The clock changes of a zone in the year, found by looking every half hour.
    private static func changes(of zone: TimeZone) -> [Instant] {
        let first = Instant.at("2023-01-01T00:00:00Z")
        return (1..<17_520).map { first.advanced(bySeconds: $0 * 1_800) }.filter {
            zone.secondsFromGMT(for: $0.date) != zone.secondsFromGMT(for: $0.advanced(bySeconds: -1_800).date)
        }
    }

    /// The instants of interest in the order of time: all clock changes of the year, the midnights around them, and the
    /// turns of weeks and months.
    func anchors() -> [Instant] {
        var anchors: Set<Instant> = [
            .at("2023-01-01T00:00:00Z"), .at("2023-05-01T00:00:00Z"), .at("2023-06-05T00:00:00Z"),
        ]
        for (zone, changes) in changes {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            for change in changes {
                anchors.insert(change)
                for day in -1...2 {
                    anchors.insert(
                        Instant(calendar.startOfDay(for: change.advanced(bySeconds: Int64(day) * 86_400).date)))
                }
            }
        }
        return anchors.sorted()
    }

    /// The boards on which most is played near an instant: those whose clocks change then.
    func boards(near anchor: Instant) -> [String] {
        let near = boards.filter {
            (changes[$0.value.zone] ?? []).contains { abs($0.date.timeIntervalSince(anchor.date)) < 2 * 86_400 }
        }
        return near.isEmpty ? boards.keys.sorted() : near.keys.sorted()
    }

    /// The rules of a board, or of the contributors to a charity or to all (`overall`).
    func rules(_ subject: Subject) throws -> Rules {
        switch subject {
        case .board(let slug, _): try #require(boards[slug])
        case .charity(let slug): try #require(charities[slug])
        case .overall: .donationBoard(in: .gmt)
        }
    }

    /// A board or charity that has a ranking.
    enum Subject: Hashable, Sendable {
        case board(String, season: Int32)
        case charity(String)
        case overall

        func has(_ entry: Entry) -> Bool {
            switch self {
            case .board(let slug, let season): entry.board == slug && entry.season == season
            case .charity(let slug): entry.board == slug && entry.season == nil
            case .overall: entry.season == nil
            }
        }
    }

    var subjects: [Subject] {
        var subjects = boards.keys.sorted().map { Subject.board($0, season: 1) } + reset.map { .board($0, season: 2) }
        subjects += charities.keys.sorted().map { .charity($0) } + [.overall]
        return subjects
    }
}
