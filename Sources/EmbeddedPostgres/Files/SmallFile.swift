import Glibc

/// Reads and replaces files of a few lines as a whole.
enum SmallFile {
    /// Returns the file's text, or nil when it cannot be read or is longer than `bytesMax`.
    ///
    /// It opens with O_NOFOLLOW and O_NONBLOCK, because root reads files here that the cluster's user could have
    /// replaced by a link or a pipe.
    static func read(_ path: String, bytesMax: Int = Limits.smallFileBytesMax) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= bytesMax {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// The lines of a file that an operator may have edited: CR LF ends one too, and is a single Character in Swift.
    static func lines(_ text: String) -> [Substring] { text.split { $0 == "\n" || $0 == "\r\n" } }

    /// Replaces a file atomically: readers see the old text or the new one, and a crash leaves one of the two.
    static func replace(_ path: String, with text: String, owner: ClusterUser) throws(ClusterError) {
        let draft = "\(path).tmp"
        unlink(draft)
        // O_EXCL follows no link: root writes here into a directory that belongs to the cluster's user.
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file("write", path) }
        defer { close(descriptor) }
        guard writeAll(Array(text.utf8)[...], to: descriptor) else { throw .file("write", path) }
        guard !owner.isAnother || fchown(descriptor, owner.id, owner.group) == 0 else { throw .file("give away", path) }
        guard fsync(descriptor) == 0 else { throw .file("write", path) }
        guard rename(draft, path) == 0 else { throw .file("replace", path) }
    }

    /// Makes renames and new files in a directory survive a power cut. Failures are ignored.
    static func synchronizeDirectory(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// Writes all bytes.
/// - Returns: False after a failure, which `errno` tells.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || errno != EINTR { return false }
    }
    return true
}

/// The names in a directory, without `.` and `..`; nil when it cannot be read.
func names(in directory: String) -> [String]? {
    guard let stream = opendir(directory) else { return nil }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { found.append(name) }
    }
    return found
}

/// The owner, kind, permissions, size and identity of a file.
struct FileStatus {
    let owner: UInt32
    /// The permission bits alone, 0...0o7777.
    let mode: UInt32
    let isDirectory: Bool
    let isLink: Bool
    let bytes: Int
    /// Device and inode: equal when two paths lead to the same file.
    let identity: [UInt64]

    /// Returns nil when there is nothing at `path`, or nothing that we may see.
    /// - Parameter following: whether a symbolic link at the end of the path is followed to its target.
    init?(_ path: String, following: Bool) {
        var status = stat()
        guard (following ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        owner = status.st_uid
        mode = status.st_mode & 0o7777
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isLink = status.st_mode & S_IFMT == S_IFLNK
        bytes = Int(status.st_size)
        identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    /// The file system that it is on.
    var device: UInt64 { identity[0] }
    var writableByOthers: Bool { mode & 0o022 != 0 }
    /// In a sticky directory, such as `/tmp`, nobody can rename or remove what is not theirs.
    var isSticky: Bool { mode & 0o1000 != 0 }
    var octal: String { "0" + String(mode, radix: 8) }
}
