import Foundation

/// A lock of a directory, held for as long as this object lives. It ends with the process, however that ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `.storage` when another one holds it.
    init(_ url: URL) throws(CauseboardError) {
        descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFiles.failure("open", url) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .storage("\(url.path) is locked: this game is open already, perhaps in another process")
        }
    }

    deinit { close(descriptor) }
}
