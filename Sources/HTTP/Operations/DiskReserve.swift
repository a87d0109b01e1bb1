import Domain
import Glibc
package import Logging
import Synchronization

/// The size of a disk, and the space that this process may still use.
package struct DiskUse: Sendable, Equatable {
    let bytes: Int64
    let freeBytes: Int64

    package init(bytes: Int64, freeBytes: Int64) {
        self.bytes = bytes
        self.freeBytes = freeBytes
    }

    /// The disk of a directory; nil if the system cannot tell.
    package init?(of directory: String) {
        var disk = statvfs()
        guard statvfs(directory, &disk) == 0 else { return nil }
        self.init(disk)
    }

    /// The disk of an open file; nil for a pipe or a terminal.
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

/// How much of each disk is reserved for scores and donations.
package struct DiskReserveRule: Sendable {
    /// Nil for the default: a tenth of the disk, at most ``Limits/reserveBytesMax``.
    let bytes: Int64?

    /// - Parameter bytes: 0 reserves nothing.
    package init(bytes: Int64? = nil) { self.bytes = bytes }

    func bytes(of disk: DiskUse) -> Int64 { bytes ?? min(disk.bytes / Limits.reservePart, Limits.reserveBytesMax) }

    func isReached(on disk: DiskUse) -> Bool { disk.freeBytes < bytes(of: disk) }

    /// Whether a log must write nothing. Strangers decide how many lines there are, so logs stop before the reserve is
    /// reached. They continue with a little more space than they stopped at, so that they do not stop and continue all
    /// the time.
    func stopsLogs(on disk: DiskUse, isStopped: Bool) -> Bool {
        let reserve = bytes(of: disk)
        let (floor, overflow) = reserve.multipliedReportingOverflow(by: Limits.logStopReserves)
        guard !overflow else { return true }
        let (more, isTooMuch) = floor.addingReportingOverflow(isStopped ? reserve / 4 : 0)
        return isTooMuch || disk.freeBytes < more
    }
}

/// Whether, at the last check, only the reserve was left on the database's disk. Then the server refuses new players,
/// saves, pictures and reports: see `RequestRates.requireRoom()`.
package final class DiskReserve: Sendable {
    /// The cause in `/readyz`.
    static let cause = "disk-reserve"

    private struct State {
        var isReached = false
        var bytes: Int64 = 0
    }

    private let state = Mutex(State())
    private let rule: DiskReserveRule
    private let disks: @Sendable () -> [DiskUse]
    private let logger: Logger

    /// - Parameter disks: The disks that the database writes to; empty if unknown, which changes nothing. May make
    ///   system calls.
    package init(_ rule: DiskReserveRule, logger: Logger, disks: @escaping @Sendable () -> [DiskUse]) {
        self.rule = rule
        self.disks = disks
        self.logger = logger
    }

    var isReached: Bool { state.withLock { $0.isReached } }
    /// The largest reserve of all disks.
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
                "the disk is nearly full: new players, saves, pictures and reports are refused",
                metadata: ["free_bytes": "\(disks.map(\.freeBytes).min() ?? 0)", "reserve_bytes": "\(bytes)"])
        } else {
            logger.info("the disk has enough free space again")
        }
    }
}
