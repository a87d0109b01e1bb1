import Glibc

/// PostgreSQL's log: one file of bounded size, with the part before it in `.1`.
struct ServerLog: Sendable {
    let path: String

    /// Opens the log for a new postmaster to append to. The caller closes the descriptor.
    func open() throws(ClusterError) -> CInt {
        bound()
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file("open the log", path) }
        return descriptor
    }

    var bytes: Int { FileStatus(path, following: false)?.bytes ?? 0 }

    /// Copies a log that has grown too large to `.1` and empties it. A running postmaster goes on writing at the new
    /// end, because it appends; lines written in between may be lost. Failures are ignored.
    func bound(bytesMax: Int = Limits.logBytesMax) {
        guard bytes > bytesMax else { return }
        let from = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard from >= 0 else { return }
        defer { close(from) }
        let older = "\(path).1"
        unlink(older)
        let to = Glibc.open(older, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if to >= 0 {
            defer { close(to) }
            lseek(from, off_t(max(0, bytes - bytesMax)), SEEK_SET)
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(from, &chunk, chunk.count)
                // On a full disk the copy is lost, but the log is emptied all the same.
                if count <= 0 || write(to, chunk, count) != count { break }
            }
        }
        ftruncate(from, 0)
    }

    /// Returns the last lines written since the log had `offset` bytes, for an error to quote.
    func lines(since offset: Int) -> String {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return "(the log cannot be read)" }
        defer { close(descriptor) }
        var chunk = [UInt8](repeating: 0, count: Limits.outputBytesMax)
        let count = pread(descriptor, &chunk, chunk.count, off_t(max(offset, bytes - chunk.count)))
        return Self.last(String(decoding: chunk[..<max(0, count)], as: UTF8.self))
    }

    /// Returns the last 12 lines that are not empty, each indented by two spaces.
    static func last(_ text: String) -> String {
        let lines = text.split(separator: "\n").suffix(Limits.quotedLinesMax)
        return lines.isEmpty ? "  (nothing was written)" : lines.map { "  \($0)" }.joined(separator: "\n")
    }
}
