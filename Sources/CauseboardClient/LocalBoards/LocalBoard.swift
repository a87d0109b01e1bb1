public import Contract
public import Foundation

/// One score on the device's own board.
public struct LocalEntry: Sendable, Hashable, Codable, Identifiable {
    public enum State: String, Sendable, Codable {
        /// The server has not answered it yet.
        case pending
        case sent
        /// The server does not count it.
        case refused
        /// The queue's file was damaged, so the device cannot say whether it was sent.
        case unknown
    }

    /// The id of its post.
    public let id: UUID
    public let name: String
    public let points: Int64
    /// By the device's clock, for showing.
    public let playedAt: Date
    public internal(set) var state: State

    public init(id: UUID = UUID(), name: String, points: Int64, playedAt: Date = Date(), state: State = .pending) {
        (self.id, self.name, self.points, self.playedAt, self.state) = (id, name, points, playedAt, state)
    }
}

/// The best scores of a device, best first. Only points above zero are on it, and an equal score goes below the ones
/// that were there before.
public struct LocalBoard: Sendable, Hashable, Codable {
    /// How many scores are on it, and which are better.
    public struct Settings: Sendable, Hashable, Codable {
        /// 1 to 1,000.
        public let entriesMax: Int
        public let order: BoardSettings.Order

        public init(entriesMax: Int = 10, order: BoardSettings.Order = .highest) {
            self.entriesMax = min(max(entriesMax, 1), 1_000)
            self.order = order
        }
    }

    public let settings: Settings
    /// Best first; never more than the settings say.
    public private(set) var entries: [LocalEntry] = []

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Puts a score where it belongs. One whose id is on the board already changes nothing.
    /// - Returns: Its place from 1; nil when it is not on the board.
    @discardableResult public mutating func insert(_ entry: LocalEntry) -> Int? {
        if let known = entries.firstIndex(where: { $0.id == entry.id }) { return known + 1 }
        guard entry.points > 0 else { return nil }
        let place = entries.firstIndex { settings.order.isBetter(entry.points, than: $0.points) } ?? entries.count
        guard place < settings.entriesMax else { return nil }
        entries.insert(entry, at: place)
        entries.removeLast(max(0, entries.count - settings.entriesMax))
        return place + 1
    }

    /// Notes what became of a post; of one that is not on the board it does nothing.
    mutating func settle(_ id: UUID, as state: LocalEntry.State) {
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[place].state = state
    }

    /// The same entries by other settings, as after an update of the game.
    func with(_ settings: Settings) -> LocalBoard {
        if settings == self.settings { return self }
        var board = LocalBoard(settings)
        for entry in entries { board.insert(entry) }
        return board
    }
}

extension BoardSettings.Order {
    func isBetter<Points: Comparable>(_ one: Points, than other: Points) -> Bool {
        switch self {
        case .highest: one > other
        case .lowest: one < other
        }
    }
}
