package import Domain
import Postgres
import Statements

/// What a table holds, to compare two copies of it, or one with what it was before.
package struct TableContents: Sendable, Equatable, Codable {
    package let table: String
    package let rows: Int64
    /// A sum over all rows, in decimal digits, that goes by no order.
    package let sum: String

    package init(table: String, rows: Int64, sum: String) { (self.table, self.rows, self.sum) = (table, rows, sum) }

    /// What differs between two copies, in words; empty when they are the same.
    package static func differences(from before: [TableContents], to after: [TableContents]) -> [String] {
        let known = Dictionary(before.map { ($0.table, $0) }) { first, _ in first }
        let found = Dictionary(after.map { ($0.table, $0) }) { first, _ in first }
        return Set(known.keys).union(found.keys).sorted().compactMap { table in
            switch (known[table], found[table]) {
            case (let old?, let new?):
                if old == new { return nil }
                let more = new.rows.subtractingReportingOverflow(old.rows).partialValue
                if more == 0 { return "\(table): rows were changed" }
                return "\(table): \(more.magnitude) rows \(more > 0 ? "more" : "fewer")"
            case (nil, let new?): return "\(table): a new table with \(new.rows) rows"
            case (let old?, nil): return "\(table): the table with \(old.rows) rows is not there"
            case (nil, nil): return nil
            }
        }
    }
}

/// Somebody who is connected to a database.
package struct PresentSession: Sendable, Equatable, CustomStringConvertible {
    package let process: Int32
    package let role: String
    package let application: String

    package var description: String {
        "\(application.isEmpty ? "a program without a name" : application) (\(role), process \(process))"
    }
}

/// What was counted in a database, to compare a copy with it.
package struct LedgerSum: Sendable, Equatable, RowDecodable {
    package let subject: String
    package let rows: Int64
    /// In decimal digits, because totals may pass 64 bits.
    package let points: String

    package init(subject: String, rows: Int64, points: String) {
        (self.subject, self.rows, self.points) = (subject, rows, points)
    }

    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(subject: row.next(), rows: row.next(), points: row.next())
    }
}

/// How the archiving of the embedded database's write-ahead log goes.
package struct ArchiverState: Sendable, Equatable {
    /// PostgreSQL's number of the cluster, which copies of it share.
    package let system: String
    package let archived: Int64
    package let failures: Int64
    package let lastArchived: Instant?
    package let lastFailed: Instant?
    package let failedFile: String?
    package let waitingFiles: Int64
    package let waitingSince: Instant?
    package let clock: Instant
    /// How many players were erased, for the list that is kept beside.
    package let erasures: Int64
}
