import CPQ
import Logging

/// A message from the server that is not an error. Like an error's, its text may quote row values.
package struct Notice: Sendable, CustomStringConvertible {
    package let state: SQLState?
    package let details: PostgresError.Details

    package var description: String { state?.rawValue ?? "notice" }
}

/// The target of libpq's notice receiver. The session keeps it alive for as long as libpq may call it.
final class NoticeSink {
    private let handler: @Sendable (Notice) -> Void
    /// Whether the server has warned that a commit no longer waits for its synchronous standby. The commit then
    /// succeeds all the same, or the connection ends.
    var isCommitInDoubt = false

    init(_ handler: (@Sendable (Notice) -> Void)?, logger: Logger) {
        self.handler = handler ?? { notice in logger.debug("notice", metadata: ["sqlstate": "\(notice)"]) }
    }

    func attach(to handle: OpaquePointer) {
        _ = PQsetNoticeReceiver(
            handle,
            { sink, result in
                guard let sink, let result else { return }
                let notice = Notice(
                    state: SQLState(field: CPQ_DIAG_SQLSTATE, of: result),
                    details: PostgresError.Details(result: result))
                let target = Unmanaged<NoticeSink>.fromOpaque(sink).takeUnretainedValue()
                if NoticeSink.endsWaitForStandby(result) { target.isCommitInDoubt = true }
                target.handler(notice)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether a notice comes from `SyncRepWaitForLSN` in the server's `syncrep.c`, which says nothing else. Its
    /// SQLSTATE is that of any warning, and its words are in the server's language.
    private static func endsWaitForStandby(_ result: OpaquePointer) -> Bool {
        guard let source = PQresultErrorField(result, CPQ_DIAG_SOURCE_FUNCTION) else { return false }
        return String(cString: source) == "SyncRepWaitForLSN"
    }
}
