import Foundation

/// Files that are whole or not there, also after the power failed.
enum DurableFiles {
    /// Makes a directory that only its owner enters, with those above it.
    static func makeDirectory(_ url: URL) throws(CauseboardError) {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .storage("\(url.path) cannot be made: \(error)")
        }
    }

    /// - Returns: Nil when there is no file.
    /// - Throws: `.storage` when it cannot be read or is larger than ``Limits/fileBytesMax``.
    static func read(_ url: URL) throws(CauseboardError) -> Data? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("open", url)
        }
        defer { close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("read", url)
            }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= Limits.fileBytesMax else { throw .storage("\(url.path) is too large") }
        }
    }

    /// Writes a file that only its owner reads. After a crash there is the old one or the new one, never a part.
    static func write(_ data: Data, to url: URL) throws(CauseboardError) {
        let temporary = url.appendingPathExtension("new")
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", temporary) }
        defer { close(descriptor) }
        guard writeAll(data, to: descriptor), synchronize(descriptor) else { throw failure("write", temporary) }
        guard rename(temporary.path, url.path) == 0 else { throw failure("rename", temporary) }
        try synchronizeDirectory(url.deletingLastPathComponent())
    }

    static func remove(_ url: URL) throws(CauseboardError) {
        guard unlink(url.path) == 0 || errno == ENOENT else { throw failure("unlink", url) }
        try synchronizeDirectory(url.deletingLastPathComponent())
    }

    /// A new name of a file is on disk when its directory is.
    static func synchronizeDirectory(_ url: URL) throws(CauseboardError) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", url) }
        defer { close(descriptor) }
        guard synchronize(descriptor) else { throw failure("fsync", url) }
    }

    static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(
                    descriptor,
                    bytes.baseAddress?.advanced(by: written),
                    bytes.count - written
                )
                if count > 0 {
                    written += count
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    static func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            // Only this waits for the drive itself; on volumes that do not know it, fsync is all there is.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    static func failure(_ what: String, _ url: URL) -> CauseboardError {
        .storage("\(what) of \(url.path) failed: \(String(cString: strerror(errno)))")
    }
}
