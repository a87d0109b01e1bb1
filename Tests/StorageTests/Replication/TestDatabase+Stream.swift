import Domain
import Postgres
import TestDatabases

@testable import Storage

extension TestDatabase {
    /// Opens a stream and takes its snapshot, again while the server is busy: transactions of other tests, in other
    /// databases of the cluster, may keep a new slot waiting for longer than it waits.
    /// - Parameter rowsMax: The most rows that one commit may change and still be followed.
    func snapshot(rowsMax: Int = Limits.commitRowsMax, attempts: Int = 300) async throws -> (
        RollupStream, RollupStream.Snapshot
    ) {
        let settings = ConnectionSettings(conninfo: owner.conninfo)
        let stream = try await RollupStream.open(settings, commitRowsMax: rowsMax, logger: .none)
        do { return (stream, try await stream.snapshot(settledBy: store)) } catch FollowError.busy where attempts > 1 {
            stream.close()
            return try await snapshot(rowsMax: rowsMax, attempts: attempts - 1)
        }
    }
}
