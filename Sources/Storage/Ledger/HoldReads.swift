import Domain
import Postgres
import Statements

// What is read before the rows of a batch are judged, where scores may be held.

extension OwnContext: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try OwnContext(standing: row.reached(), tally: row.reached(), secretPoints: row.next())
    }
}

extension SettlingContext: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (settling, left): (Int64, Int64) = (try row.next(), try row.next())
        self = SettlingContext(left: left, settling: settling, readyAt: try row.next())
    }
}
