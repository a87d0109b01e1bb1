/// The settings of PostgreSQL that follow from the machine's memory and disk.
///
/// None follows from the number of processors, because none of these bounds how much is done at once. `wal_buffers`
/// follows from `shared_buffers` by itself and is 16 MB from 512 MB on, and `huge_pages` is `try` by itself.
/// `wal_compression` stays off: it halves the log that is written after a checkpoint, for processor time that is dearer
/// than the bytes unless the disk is slow.
struct Sizing: Equatable {
    let sharedBuffersBytes: Int
    let effectiveCacheBytes: Int
    let walBytesMax: Int
    let slotWALBytesMax: Int
    /// Whether the disk has so little room that even the least log could fill it.
    let isDiskTight: Bool

    init(_ machine: Machine) {
        sharedBuffersBytes = Self.clamp(machine.memoryBytes / 4, Limits.sharedBuffersBytes)
        effectiveCacheBytes = max(machine.memoryBytes / 2, Limits.effectiveCacheBytesMin)
        guard let disk = machine.disk else {
            walBytesMax = Limits.walBytesUnknownDisk
            slotWALBytesMax = Limits.slotShare * Limits.walBytesUnknownDisk
            isDiskTight = false
            return
        }
        let fitting = min(disk.totalBytes / Limits.diskShareOfWAL, disk.walRoomBytes / Limits.roomShareOfWAL)
        walBytesMax = Self.clamp(fitting, Limits.walBytes)
        slotWALBytesMax = Limits.slotShare * walBytesMax
        isDiskTight = disk.walRoomBytes / Limits.roomShareOfWAL < Limits.walBytes.lowerBound
    }

    /// The settings with their values as `postgresql.conf` takes them.
    var settings: [(name: String, value: String)] {
        [
            ("shared_buffers", Self.megabytes(sharedBuffersBytes)),
            ("effective_cache_size", Self.megabytes(effectiveCacheBytes)),
            ("max_wal_size", Self.megabytes(walBytesMax)),
            // A slot that no server reads must not fill the disk. A server that lost its slot loads the standings
            // again.
            ("max_slot_wal_keep_size", Self.megabytes(slotWALBytesMax)),
            // The first change of a page after a checkpoint writes the whole page to the log. So checkpoints are rare,
            // and the writes of one are spread until the next.
            ("checkpoint_timeout", "30min"), ("checkpoint_completion_target", "0.9"),
        ]
    }

    private static func clamp(_ value: Int, _ bounds: ClosedRange<Int>) -> Int {
        min(max(value, bounds.lowerBound), bounds.upperBound)
    }

    private static func megabytes(_ bytes: Int) -> String { "\(bytes >> 20)MB" }
}
