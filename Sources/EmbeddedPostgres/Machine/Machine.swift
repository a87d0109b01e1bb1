import Glibc

/// What the machine, or the container, gives the embedded database: memory, and a disk for its log.
package struct Machine: Sendable, Equatable {
    /// The file system of the write-ahead log.
    struct Disk: Equatable {
        let totalBytes: Int
        /// What the log may grow to: the bytes that are free, and those that it has now. If these did not count, a log
        /// that has grown to its bound would lower the bound at the next start.
        let walRoomBytes: Int
    }

    /// Bytes of memory that the processes of the database may have; 0 when the system does not say.
    let memoryBytes: Int
    /// Nil when the system does not say.
    let disk: Disk?

    init(memoryBytes: Int, disk: Disk?) {
        self.memoryBytes = memoryBytes
        self.disk = disk
    }

    /// Reads what there is now, for a cluster that exists.
    init(of paths: Paths) {
        self.init(memoryBytes: MemoryLimit.bytes { SmallFile.read($0) }, disk: Disk(ofLog: "\(paths.cluster)/pg_wal"))
    }
}

extension Machine.Disk {
    /// - Parameter path: The directory of the log, which an operator may have moved to another disk by a link.
    init?(ofLog path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0, status.f_blocks > 0, status.f_frsize > 0 else { return nil }
        func bytes(_ blocks: UInt) -> Int { Int(clamping: UInt128(blocks) * UInt128(status.f_frsize)) }
        // f_bavail leaves out the blocks that are reserved for root, because PostgreSQL never runs as root.
        let (room, isTooLarge) = bytes(status.f_bavail).addingReportingOverflow(Self.logBytes(path))
        self.init(totalBytes: bytes(status.f_blocks), walRoomBytes: isTooLarge ? .max : room)
    }

    /// The bytes of the log's segments, which are files of one directory.
    private static func logBytes(_ path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var sum = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let file = FileStatus("\(path)/\(name)", following: false), !file.isDirectory else { continue }
            sum = sum.addingReportingOverflow(file.bytes).partialValue
        }
        return max(0, sum)
    }
}
