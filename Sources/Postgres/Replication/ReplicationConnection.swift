import CPQ
package import Logging

/// A connection on which the server streams committed changes. One task uses it; it closes when it is released.
///
/// The login needs the REPLICATION attribute or must be a superuser. It needs no right to read any table.
package final class ReplicationConnection {
    /// The server drops a stream whose client is silent for longer than this, and with it the WAL that it kept for the
    /// slot.
    private static let walSenderTimeout = "10s"
    /// How often the client sends its status, even without progress. A server that is silent for twice as long is
    /// considered lost.
    private static let statusInterval = Duration.seconds(4)

    private let session: Session
    private var decoder = StreamDecoder()
    /// The WAL position up to which everything has been passed to `body`.
    private var confirmed = LogPosition(rawValue: 0)
    private var isInTransaction = false
    /// The end of the server's WAL, as it last reported it.
    package private(set) var endOfLog = LogPosition(rawValue: 0)

    private init(_ session: sending Session) { self.session = session }

    /// Opens a replication connection.
    /// - Parameter settings: Their `session` and `silenceMax` are ignored: they do not fit a connection of this kind.
    /// - Throws: 08001 when no server accepts the connection; the server's reason is in `refusal`, such as 28000
    ///   without the REPLICATION attribute, or 25006 on a standby.
    package static func open(_ settings: ConnectionSettings, logger: Logger) async throws(PostgresError)
        -> ReplicationConnection
    {
        var settings = settings
        settings.session = [:]
        settings.silenceMax = statusInterval
        let options = """
            -c wal_sender_timeout=\(walSenderTimeout) -c lock_timeout=1s -c idle_in_transaction_session_timeout=0 \
            -c statement_timeout=0
            """
        let session = try await Session.connect(
            settings,
            options: [("replication", "database"), ("options", options), ("application_name", "causeboard stream")],
            logger: logger)
        return ReplicationConnection(session)
    }

    package func close() { session.close() }

    /// Creates a replication slot that lasts as long as the connection, and exports the snapshot at its start.
    /// - Throws: 55P03 when a writing transaction in any database of the cluster stays open for more than a second;
    ///   53400 without a free slot; 55000 unless `wal_level` is `logical`.
    package func createTemporarySlot() async throws(PostgresError) -> ReplicationSlot {
        let name = "causeboard_\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let row = try await session.simpleRow(
            "CREATE_REPLICATION_SLOT \(name) TEMPORARY LOGICAL pgoutput (SNAPSHOT 'export')")
        guard row.count >= 3, let point = LogPosition(row[1]), let snapshot = SnapshotName(row[2]) else {
            throw PostgresError(
                .undecodable, safeToRetry: true, message: "no slot in the answer to CREATE_REPLICATION_SLOT")
        }
        return ReplicationSlot(name: name, consistentPoint: point, snapshot: snapshot)
    }

    /// Passes everything committed since the slot's consistent point to `body`, and goes on until it fails.
    /// - Parameters:
    ///   - publication: The publication whose tables are streamed. Messages written into the WAL are streamed, too.
    ///   - body: Called for each event, on the thread of the streams' ``Poller``; an event counts as received when it
    ///     returns. While it runs the server waits, and drops the stream after 10 s.
    /// - Throws: What `body` throws. As `E`: the server's error, 08006 when the connection is lost or the server silent
    ///   for 8 s, PX001 for what cannot be decoded, 57014 when the task is cancelled. The connection is closed then.
    package func stream<E: PostgresErrorConvertible>(
        _ slot: ReplicationSlot, publication: StaticString, _ body: (consuming StreamEvent) throws(E) -> Void
    ) async throws(E) {
        defer { close() }
        do throws(PostgresError) { try await start(slot, publication) } catch { throw E(error) }
        try await withTaskExecutorPreference(session.poller) { () throws(E) in try await read(body) }
    }

    private func read<E: PostgresErrorConvertible>(_ body: (consuming StreamEvent) throws(E) -> Void) async throws(E) {
        var (isAsked, heardAt, reportedAt) = (false, ContinuousClock.now, ContinuousClock.now)
        while true {
            let chunk: CopyChunk?
            do throws(PostgresError) { chunk = try await nextChunk(&isAsked, &heardAt, &reportedAt) } catch {
                throw E(error)
            }
            guard let chunk else { continue }
            heardAt = .now
            let event: StreamEvent?
            do throws(DecodingFailure) { event = try self.event(of: chunk.bytes, &isAsked) } catch {
                throw E(PostgresError(error))
            }
            if let event { try body(event) }
        }
    }
}

extension ReplicationConnection {
    private func start(_ slot: ReplicationSlot, _ publication: StaticString) async throws(PostgresError) {
        let handle = try session.enter()
        confirmed = slot.consistentPoint
        let sql = """
            START_REPLICATION SLOT \(slot.name) LOGICAL 0/0 \
            (proto_version '1', publication_names '\(publication)', messages 'true', binary 'true')
            """
        guard PQsendQuery(handle, sql) == 1 else { throw session.lost(handle, nothingSent: true) }
        guard let result = try await session.nextResult(handle) else { throw session.lost(handle) }
        guard result.status == PGRES_COPY_BOTH else { throw session.serverError(result, mayHaveCommitted: false) }
    }

    /// Waits for the next message and sends the client's status when it is due.
    /// - Returns: Nil when there is no whole message yet; call again.
    private func nextChunk(
        _ isAsked: inout Bool, _ heardAt: inout ContinuousClock.Instant, _ reportedAt: inout ContinuousClock.Instant
    ) async throws(PostgresError) -> CopyChunk? {
        guard let handle = session.open else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        // While there is always more to read, nothing waits and so no cancellation would be noticed.
        if Task.isCancelled {
            throw PostgresError(.queryCancelled, safeToRetry: true, message: "the stream was given up")
        }
        if session.isFormer { throw session.abandoned() }
        if isAsked || .now - reportedAt > Self.statusInterval {
            try await session.put(status(asksForReply: false), to: handle)
            (isAsked, reportedAt) = (false, .now)
        }
        var start: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &start, 1)
        if count > 0, let start { return CopyChunk(start, countBytes: Int(count)) }
        guard count == 0 else {
            // The stream has ended; the last result says why.
            if let result = try await session.nextResult(handle), result.status == PGRES_FATAL_ERROR {
                throw session.serverError(result, mayHaveCommitted: false)
            }
            throw session.lost(handle)
        }
        switch await session.waitForSocket(handle, forWriting: PQflush(handle) == 1) {
        case .ready: if PQconsumeInput(handle) == 0 { throw session.lost(handle) }
        case .cancelled: throw PostgresError(.queryCancelled, safeToRetry: true, message: "the stream was given up")
        case .deadline where session.isFormer: throw session.abandoned()
        case .deadline:
            guard .now - heardAt < Self.statusInterval * 2 else {
                throw PostgresError(.connectionLost, safeToRetry: true, message: "the stream was silent for too long")
            }
            try await session.put(status(asksForReply: true), to: handle)
            reportedAt = .now
        }
        return nil
    }

    /// Decodes a message of the streaming protocol (PostgreSQL's manual, "Streaming Replication Protocol"). A keepalive
    /// gives nil.
    private func event(of bytes: UnsafeRawBufferPointer, _ isAsked: inout Bool) throws(DecodingFailure) -> StreamEvent?
    {
        var reader = MessageReader(bytes)
        switch try reader.integer(UInt8.self) {
        case UInt8(ascii: "w"):
            _ = try reader.position()
            endOfLog = max(endOfLog, try reader.position())
            _ = try reader.integer(Int64.self)
            let payload = try reader.block(bytes.count - 25)
            switch payload.first {
            case UInt8(ascii: "B"): isInTransaction = true
            case UInt8(ascii: "C"):
                isInTransaction = false
                var commit = MessageReader(payload, from: 2)
                _ = try commit.position()
                confirmed = try commit.position()
            default: break
            }
            return try decoder.event(payload)
        case UInt8(ascii: "k"):
            let end = try reader.position()
            endOfLog = max(endOfLog, end)
            if !isInTransaction { confirmed = max(confirmed, end) }
            _ = try reader.integer(Int64.self)
            if try reader.integer(UInt8.self) != 0 { isAsked = true }
            return nil
        default: return nil
        }
    }

    private func status(asksForReply: Bool) -> [UInt8] {
        var bytes = [UInt8(ascii: "r")]
        for _ in 0..<3 { bytes.append(bigEndian: confirmed.rawValue) }
        bytes.append(bigEndian: Int64(0))  // the client's clock, which the server only displays
        bytes.append(asksForReply ? 1 : 0)
        return bytes
    }
}
