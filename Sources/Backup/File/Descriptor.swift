import Glibc
import Synchronization

/// An open file, which is closed with its object if it is ours.
package final class Descriptor: Sendable {
    package let number: CInt

    private let isOurs: Bool

    package init(taking number: CInt) { (self.number, isOurs) = (number, true) }

    /// For a descriptor that somebody else closes, such as standard output.
    package init(lending number: CInt) { (self.number, isOurs) = (number, false) }

    /// - Throws: `.file` when it cannot be opened.
    package init(reading path: String) throws(BackupError) {
        isOurs = true
        number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .failed("read", path) }
    }

    deinit { if isOurs { close(number) } }

    /// Reads until `count` bytes are there or the file ends.
    package func read(_ count: Int, of path: String) throws(BackupError) -> [UInt8] {
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let start = buffer.baseAddress {
                let got = Glibc.read(number, start + filled, count - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw .file(action: "read", path: path, code: failure) }
        return bytes
    }

    /// The file's size in bytes.
    package func size(of path: String) throws(BackupError) -> Int {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .failed("read", path) }
        return Int(status.st_size)
    }

    package func write(_ bytes: [UInt8], to path: String) throws(BackupError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(number, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw .failed("write", path) }
        }
    }
}

extension BackupError {
    /// A failure of the system call before.
    static func failed(_ action: String, _ path: String) -> BackupError {
        .file(action: action, path: path, code: errno)
    }
}

enum Errno { static func words(_ code: Int32) -> String { String(cString: strerror(code)) } }

/// A file that appears under its name when it is complete, and not at all otherwise. Nobody else may read it.
package final class NewFile: Sendable {
    package let path: String
    package let descriptor: Descriptor
    private let draft: String
    private let mayReplace: Bool
    private let isDone = Atomic(false)

    /// - Throws: `.exists` when there is something of that name already, and it may not be replaced.
    package init(_ path: String, mayReplace: Bool) throws(BackupError) {
        self.path = path
        self.mayReplace = mayReplace
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
            guard mayReplace else { throw .exists(path) }
        }
        draft = "\(path).\(getpid()).unfinished"
        let number = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .failed("write", draft) }
        descriptor = Descriptor(taking: number)
    }

    deinit { if !isDone.load(ordering: .acquiring) { unlink(draft) } }

    /// Makes the file durable under its name.
    package func finish() throws(BackupError) {
        guard fsync(descriptor.number) == 0 else { throw .failed("write", draft) }
        if mayReplace {
            guard rename(draft, path) == 0 else { throw .failed("write", path) }
            isDone.store(true, ordering: .releasing)
        } else if link(draft, path) == 0 {
            isDone.store(true, ordering: .releasing)
            unlink(draft)
        } else {
            // A link never replaces anything. Some file systems have none.
            if errno == EEXIST { throw .exists(path) }
            guard access(path, F_OK) != 0 else { throw .exists(path) }
            guard rename(draft, path) == 0 else { throw .failed("write", path) }
            isDone.store(true, ordering: .releasing)
        }
        synchronize(directoryOf: path)
    }
}

/// Makes new names in a file's directory survive a power cut. Failures are ignored, because some file systems cannot.
package func synchronize(directoryOf path: String) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let number = open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
}
