import Domain
import FoundationEssentials

/// Where a page of a player's own history ends or begins.
struct HistoryCursor: Equatable {
    /// Which of the player's histories.
    enum Ledger: UInt8 {
        case scores = 1
        case donations = 2
    }

    var ledger: Ledger
    var moment: Moment

    private static let version: UInt8 = 2

    var bytes: [UInt8] {
        var bytes = [Self.version, ledger.rawValue]
        bytes.append(bigEndian: moment.reachedAt.microsecondsSince1970)
        bytes.append(short: moment.id.uuidString)
        return bytes
    }

    init(ledger: Ledger, moment: Moment) {
        self.ledger = ledger
        self.moment = moment
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer() == Self.version, let ledger = reader.integer(UInt8.self).flatMap(Ledger.init),
            let reachedAt = reader.integer(Int64.self), let id = reader.text().flatMap(UUID.init), reader.isAtEnd
        else { return nil }
        self.ledger = ledger
        self.moment = Moment(reachedAt: Instant(microsecondsSince1970: reachedAt), id: id)
    }
}
