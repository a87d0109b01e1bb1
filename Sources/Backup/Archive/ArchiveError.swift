import Domain

/// Why the archive of the write-ahead log cannot be written or read. Each description tells the operator what is wrong.
package enum ArchiveError: Error, Equatable, CustomStringConvertible {
    case file(BackupError)
    case notOfLog(String)
    case tooLarge(String, bytesMax: Int)
    /// The archive has another file of that name.
    case differs(String)
    /// A file of the archive is cut or changed.
    case damaged(String)
    /// Segments are missing between others.
    case gap(directory: String, number: UInt64, newest: UInt64)
    /// The newest base backup that is old enough is missing.
    case noBase(directory: String, oldest: String?)

    package var description: String {
        switch self {
        case .file(let error): error.description
        case .notOfLog(let name): "\(name) is no name of a file of PostgreSQL's write-ahead log."
        case .tooLarge(let path, let bytesMax): "\(path) has more than \(bytesMax) bytes, so it is no segment."
        case .differs(let path):
            """
            \(path) is there already with other content, so nothing was overwritten. Two databases archive into one \
            directory, or a restored one goes on in the archive of the other: give each its own with --archive.
            """
        case .damaged(let path):
            "\(path) is cut or changed: its checksum is wrong. Take that file from another copy of the archive."
        case .gap(let directory, let number, let newest):
            """
            Segment \(number) of the write-ahead log is missing in \(directory)/wal, which goes on up to \(newest). \
            Take it from another copy of the archive, or restore with --to a moment before it ends.
            """
        case .noBase(let directory, let oldest?):
            "\(directory) has no base backup from before that moment; the oldest is of \(oldest)."
        case .noBase(let directory, nil):
            "\(directory) is no archive: it has no complete base backup in \(directory)/base."
        }
    }
}
