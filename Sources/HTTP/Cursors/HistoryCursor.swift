import Domain
import FoundationEssentials

/// The edge of a page of a player's own history.
struct HistoryCursor: Equatable {
    /// Which of the player's two histories.
    enum Ledger: UInt8 {
        case scores = 1
        case donations = 2
    }

    var ledger: Ledger
    var historyKey: HistoryKey

    private static let version: UInt8 = 2

    var bytes: [UInt8] {
        var bytes = [Self.version, ledger.rawValue]
        bytes.append(bigEndian: historyKey.reachedAt.microsecondsSince1970)
        bytes.append(short: historyKey.id.uuidString)
        return bytes
    }

    init(ledger: Ledger, historyKey: HistoryKey) {
        self.ledger = ledger
        self.historyKey = historyKey
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer() == Self.version, let ledger = reader.integer(UInt8.self).flatMap(Ledger.init),
            let reachedAt = reader.integer(Int64.self), let id = reader.text().flatMap(UUID.init), reader.isAtEnd
        else { return nil }
        self.ledger = ledger
        self.historyKey = HistoryKey(reachedAt: Instant(microsecondsSince1970: reachedAt), id: id)
    }
}
