import Glibc

/// Who owns a file, what it is and who may do what with it.
struct FileStatus {
    let owner: UInt32
    /// The permission bits alone, 0...0o7777.
    let mode: UInt32
    let isDirectory: Bool
    let isLink: Bool
    let bytes: Int
    /// Device and inode: equal when two paths lead to the same file.
    let identity: [UInt64]

    /// Nil when there is nothing at `path`, or nothing that we may see.
    /// - Parameter following: whether a symbolic link at the end of the path stands for its target.
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

    var writableByOthers: Bool { mode & 0o022 != 0 }
    /// In a sticky directory, such as `/tmp`, nobody can rename or remove what is not theirs.
    var isSticky: Bool { mode & 0o1000 != 0 }
    var octal: String { "0" + String(mode, radix: 8) }
}
