import Domain
import Postgres
import TestDatabases

@testable import Storage

/// What one post costs a table or an index, on average.
struct PostCost: Equatable {
    /// Pages that were looked at, each as often as it was: they are read from the disk when they are not in memory.
    var pagesRead = 0.0
    /// Different pages of its batch that were changed, divided by the posts of the batch: they are written to the disk
    /// once a checkpoint, and go into the log whole once after each checkpoint.
    var pagesChanged = 0.0
    /// Bytes of the write-ahead log, without pages that it has whole.
    var logBytes = 0.0
}

/// Counts by the database's own statistics and by its log. Nobody else may use the server meanwhile.
struct PostMeter {
    /// The name under which records of the log count that change no page: commits and commit markers.
    static let transactions = "transactions"

    private let database: TestDatabase
    private var reads: [String: Double] = [:]
    private var changes: [String: PostCost] = [:]
    private var posts = 0

    init(_ database: TestDatabase) async throws {
        self.database = database
        reads = try await readsSoFar()
    }

    /// Runs a batch of so many posts and counts what it changes.
    mutating func count(posts count: Int, _ batch: () async throws -> Void) async throws {
        let start = try await database.owner.ask("select pg_current_wal_insert_lsn()")[0]
        try await batch()
        for line in try await database.owner.ask(Self.log(since: start)) {
            let (name, numbers) = try Self.parsed(line)
            changes[name, default: PostCost()].pagesChanged += numbers[0]
            changes[name, default: PostCost()].logBytes += numbers[1]
        }
        posts += count
    }

    /// The average of all posts that were counted, by the names of tables and indexes.
    func costs() async throws -> [String: PostCost] {
        let readsBefore = reads
        var costs = changes
        for (name, count) in try await readsSoFar() where count > readsBefore[name, default: 0] {
            costs[name, default: PostCost()].pagesRead = count - readsBefore[name, default: 0]
        }
        return costs.mapValues { sum in
            PostCost(
                pagesRead: sum.pagesRead / Double(posts), pagesChanged: sum.pagesChanged / Double(posts),
                logBytes: sum.logBytes / Double(posts))
        }
    }

    private func readsSoFar() async throws -> [String: Double] {
        // A session keeps what it has counted for up to ten seconds. A test's batches follow each other, so its pool
        // has only one.
        _ = try await database.store.ledger { connection throws(PostgresError) in
            try await connection.script("select pg_stat_force_next_flush()")
        }
        guard database.store.ledgerPool.use.open == 1 else { throw TestDatabaseError("more than one session writes") }
        let lines = try await database.owner.ask(
            """
            select concat_ws('|', relname, heap_blks_read + heap_blks_hit) from pg_statio_user_tables
            union all
            select concat_ws('|', indexrelname, idx_blks_read + idx_blks_hit) from pg_statio_user_indexes
            """)
        return try Dictionary(uniqueKeysWithValues: lines.map { try Self.parsed($0) }.map { ($0, $1[0]) })
    }

    /// The name, different pages and bytes of each relation that the log names since then. A record that changes
    /// several pages counts where its first one is.
    private static func log(since start: String) -> String {
        """
        with record as materialized (
          select row_number() over () as n, record_length - fpi_length as bytes, coalesce(block_ref, '') as blocks
            from pg_get_wal_records_info('\(start)', pg_current_wal_flush_lsn())
           where xid <> '0' or block_ref <> ''
        ),
        page as (
          select r.n, r.bytes, b.place, b.page[1]::oid as file, b.page
            from record r, regexp_matches(r.blocks, 'rel \\d+/\\d+/(\\d+) (?:fork (\\w+) )?blk (\\d+)', 'g')
                 with ordinality b(page, place)
        )
        select concat_ws('|', c.relname, count(distinct p.page), sum(p.bytes) filter (where p.place = 1))
          from page p join pg_class c on pg_relation_filenode(c.oid) = p.file
         group by c.relname
        union all
        select concat_ws('|', '\(transactions)', 0, sum(r.bytes)) from record r where r.n <> all(select n from page)
        """
    }

    private static func parsed(_ line: String) throws -> (name: String, numbers: [Double]) {
        let words = line.split(separator: "|")
        let numbers = words.dropFirst().compactMap { Double($0) }
        guard let name = words.first, numbers.count == words.count - 1, !numbers.isEmpty else {
            throw TestDatabaseError("no figures in '\(line)'")
        }
        return (String(name), numbers)
    }
}
