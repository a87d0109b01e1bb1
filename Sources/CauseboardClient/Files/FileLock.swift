import Foundation

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
