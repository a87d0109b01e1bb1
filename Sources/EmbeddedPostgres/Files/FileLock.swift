import Glibc

/// One `flock` of one file. It is released at the latest when this object or its process ends, even by `kill -9`.
/// A lock that a child has inherited is held until the last process that has the descriptor ends.
///
/// Two objects on the same file exclude each other even inside one process.
final class FileLock: Sendable {
    enum Mode { case shared, exclusive }

    let descriptor: CInt

    /// Makes the file when it does not exist; takes no lock yet.
    init(path: String) throws(ClusterError) {
        // O_CLOEXEC: a lock belongs to the open file and not to a process, so whoever inherits the descriptor holds the
        // lock, too. `Child.spawn` hands one on where that is wanted.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file("open the lock file", path) }
    }

    deinit { close(descriptor) }

    /// Takes the lock or changes its mode, without waiting.
    /// - Returns: False when another holder excludes it; a lock held before is then lost, because a change of mode is
    ///   not atomic.
    func attempt(_ mode: Mode) -> Bool { flock(descriptor, (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 }

    /// Waits for the lock.
    /// - Returns: False when the lock was not available within `limit`.
    func acquire(_ mode: Mode, within limit: Duration) async throws(ClusterError) -> Bool {
        try await wait(upTo: limit) { () throws(ClusterError) in attempt(mode) }
    }

    /// Releases the lock, also for copies of the descriptor that a child has between `fork` and `exec`.
    func release() { _ = flock(descriptor, LOCK_UN) }

    /// Writes our pid into the file, for another process's error message. Failures are ignored, because only the lock
    /// counts.
    func sign() {
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }

    /// The pid in the file, of the process that holds the lock or held it last. Nil when there is none.
    var signature: Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first else {
            return nil
        }
        return Int32(line)
    }
}
