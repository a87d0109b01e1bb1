import Foundation

/// Files that are whole or not there, also after the power failed.
enum DurableFiles {
    /// What a disk can fail at.
    enum Operation: Sendable { case write, synchronize, synchronizeDirectory, truncate }

    /// Tests say by this what fails, and see what is asked of the disk.
    @TaskLocal static var fails: (@Sendable (Operation, URL) -> Bool)?

    /// Makes a directory that only its owner enters, with those above it. When this returns their names are on disk.
    static func makeDirectory(_ url: URL) throws(CauseboardError) {
        var missing: [URL] = []
        var above = url.standardizedFileURL
        while missing.count < Limits.directoryDepthMax, !FileManager.default.fileExists(atPath: above.path) {
            missing.append(above)
            above = above.deletingLastPathComponent()
        }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .storage("\(url.path) cannot be made: \(error)") }
        for made in missing {
            let parent = made.deletingLastPathComponent()
            // One that this process may not read, as above a container of an application, cannot be waited for.
            if access(parent.path, R_OK) == 0 { try synchronizeDirectory(parent) }
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
        guard writeAll(data, to: descriptor, of: temporary), synchronize(descriptor, of: temporary) else {
            throw failure("write", temporary)
        }
        guard rename(temporary.path, url.path) == 0 else { throw failure("rename", temporary) }
        try synchronizeDirectory(url.deletingLastPathComponent())
    }

    /// Writes a file that only its owner reads, part by part. It takes its name when all parts are there.
    /// - Parameter next: Gives the parts, then nil.
    static func write(to url: URL, bytesMax: Int, _ next: () async throws(CauseboardError) -> Data?)
        async throws(CauseboardError)
    {
        let temporary = url.appendingPathExtension("new")
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", temporary) }
        defer {
            close(descriptor)
            unlink(temporary.path)
        }
        var bytes = 0
        while let part = try await next() {
            bytes += part.count
            guard bytes <= bytesMax else { throw .storage("\(url.path) would be too large") }
            guard writeAll(part, to: descriptor, of: temporary) else { throw failure("write", temporary) }
        }
        guard synchronize(descriptor, of: temporary) else { throw failure("write", temporary) }
        guard rename(temporary.path, url.path) == 0 else { throw failure("rename", temporary) }
        try synchronizeDirectory(url.deletingLastPathComponent())
    }

    /// Keeps a copy of a damaged file, which is about to be written anew, under a name of its own.
    static func copyAside(_ url: URL) throws(CauseboardError) {
        guard let data = try read(url) else { return }
        for number in 1...Limits.damagedFilesMax {
            let aside = url.appendingPathExtension("damaged-\(number)")
            if !FileManager.default.fileExists(atPath: aside.path) { return try write(data, to: aside) }
        }
        throw .storage("\(url.path) is damaged, as \(Limits.damagedFilesMax) files before it; take those away")
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
        guard fails?(.synchronizeDirectory, url) != true, synchronize(descriptor, of: url) else {
            throw failure("fsync", url)
        }
    }

    /// - Parameter url: The file's, if it has a name.
    static func writeAll(_ data: Data, to descriptor: Int32, of url: URL? = nil) -> Bool {
        if let url, fails?(.write, url) == true {
            // A disk that is full takes a part.
            _ = writeAll(data.prefix(data.count / 2), to: descriptor)
            errno = ENOSPC
            return false
        }
        return data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count > 0 { written += count } else if errno != EINTR { return false }
            }
            return true
        }
    }

    /// Cuts a file to so many bytes, and goes to its end.
    static func truncate(_ descriptor: Int32, to bytes: Int64, of url: URL) -> Bool {
        fails?(.truncate, url) != true && ftruncate(descriptor, off_t(bytes)) == 0
            && lseek(descriptor, 0, SEEK_END) == off_t(bytes)
    }

    static func synchronize(_ descriptor: Int32, of url: URL) -> Bool {
        if fails?(.synchronize, url) == true { return false }
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

/// A lock of a directory, held for as long as this object lives. It ends with the process, however that ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `.storage` when another one holds it.
    static func take(_ url: URL) throws(CauseboardError) -> FileLock {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFiles.failure("open", url) }
        // From here on the descriptor is closed by `deinit`, and by nothing else.
        let lock = FileLock(descriptor)
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
        guard errno == EWOULDBLOCK else { throw DurableFiles.failure("flock", url) }
        throw .storage("\(url.path) is locked: this game is open already, perhaps in another process")
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // A program that the game is just starting has the descriptor too, until it runs, and would hold the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
