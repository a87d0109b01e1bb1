import Domain
import Glibc
package import Logging
import Synchronization

/// How much room a disk has, and how much is left for this process.
package struct DiskUse: Sendable, Equatable {
    let bytes: Int64
    let freeBytes: Int64

    package init(bytes: Int64, freeBytes: Int64) {
        self.bytes = bytes
        self.freeBytes = freeBytes
    }

    /// The disk that a directory is on; nil when it cannot be asked.
    package init?(of directory: String) {
        var disk = statvfs()
        guard statvfs(directory, &disk) == 0 else { return nil }
        self.init(disk)
    }

    /// The disk of an open file; nil for a pipe or a terminal, which has none.
    init?(of descriptor: Int32) {
        var disk = statvfs()
        guard fstatvfs(descriptor, &disk) == 0, disk.f_blocks > 0 else { return nil }
        self.init(disk)
    }

    private init(_ disk: statvfs) {
        func bytes(_ blocks: UInt) -> Int64 {
            let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
            return overflow ? .max : Int64(clamping: bytes)
        }
        self.init(bytes: bytes(disk.f_blocks), freeBytes: bytes(disk.f_bavail))
    }
}

/// How much of each disk is kept for scores and donations.
package struct DiskReserveRule: Sendable {
    /// Nil for the standard: a tenth of the disk, and ``Limits/reserveBytesMax`` at most.
    let bytes: Int64?

    /// - Parameter bytes: 0 keeps nothing.
    package init(bytes: Int64? = nil) {
        self.bytes = bytes
    }

    func bytes(of disk: DiskUse) -> Int64 { bytes ?? min(disk.bytes / Limits.reservePart, Limits.reserveBytesMax) }

    func isReached(on disk: DiskUse) -> Bool { disk.freeBytes < bytes(of: disk) }
}

/// Whether what is left of the database's disk is for scores and donations alone, by the last look. Everything else
/// that stays on disk waits then: see `Responder.requireRoom()`.
package final class DiskReserve: Sendable {
    /// The word of `/readyz` for it.
    static let cause = "disk-reserve"

    private struct State {
        var isReached = false
        var bytes: Int64 = 0
    }

    private let state = Mutex(State())
    private let rule: DiskReserveRule
    private let disks: @Sendable () -> [DiskUse]
    private let logger: Logger

    /// - Parameter disks: Where the database writes; empty while nothing is known, which changes nothing. It may take a
    ///   system call.
    package init(_ rule: DiskReserveRule, logger: Logger, disks: @escaping @Sendable () -> [DiskUse]) {
        self.rule = rule
        self.disks = disks
        self.logger = logger
    }

    var isReached: Bool { state.withLock { $0.isReached } }
    /// The largest reserve of the disks.
    var bytes: Int64 { state.withLock { $0.bytes } }

    package func look() {
        let disks = disks()
        guard !disks.isEmpty else { return }
        let isReached = disks.contains { rule.isReached(on: $0) }
        let bytes = disks.map { rule.bytes(of: $0) }.max() ?? 0
        let before = state.withLock { state in
            defer { state = State(isReached: isReached, bytes: bytes) }
            return state.isReached
        }
        guard isReached != before else { return }
        if isReached {
            logger.warning(
                "the disk is nearly full: only scores, donations and what takes no room are accepted",
                metadata: [
                    "free_bytes": "\(disks.map(\.freeBytes).min() ?? 0)", "reserve_bytes": "\(bytes)",
                ]
            )
        } else {
            logger.info("the disk has room again")
        }
    }
}
