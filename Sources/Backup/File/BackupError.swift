import Domain

/// Why a backup cannot be made or read. Each description tells the operator what is wrong and then what to do.
package enum BackupError: Error, Equatable {
    /// A system call failed.
    case file(action: String, path: String, code: Int32)
    case exists(String)
    /// The file does not begin as a backup does.
    case notABackup(String)
    /// It was made by a program that writes another format.
    case otherFormat(String, format: Int)
    /// It ends before it is complete.
    case cut(String, bytes: Int, within: String)
    /// It ends as a backup does, but without its last parts.
    case noManifest(String, after: String)
    /// There is something of that name that is no file, such as a device.
    case notAFile(String)
    /// The header before a part, or what fills its last block, is not as it was written.
    case header(String, after: String, offset: Int)
    case part(String, name: String, expected: String, got: String)
    /// A part is where another one should be.
    case order(String, expected: String, got: String)
    case size(String, name: String, bytes: Int, bytesMax: Int)
    /// The manifest's checksum is right, and yet it is none.
    case manifest(String)
    /// Bytes follow its end.
    case tail(String, bytes: Int)
}

extension BackupError: CustomStringConvertible {
    private static let other = "Take another copy of that backup, or another backup."

    package var description: String {
        switch self {
        case .file(let action, let path, let code):
            "Cannot \(action) \(path): \(Errno.words(code)). Nothing was kept of what was begun."
        case .exists(let path): "\(path) is there already. Choose another name, or overwrite it with --force."
        case .notABackup(let path): "\(path) is no backup: it does not begin as one that `causeboard backup` made."
        case .otherFormat(let path, let format):
            """
            \(path) is a backup of format \(format), and this causeboard reads format \
            \(BackupManifest.currentFormat). Use the causeboard that made it, or a newer one.
            """
        case .cut(let path, let bytes, let within):
            "\(path) is cut: it ends after \(bytes) bytes, \(within). \(Self.other)"
        case .noManifest(let path, let after):
            "\(path) is damaged: it ends \(after), and has no \(PartName.manifest). \(Self.other)"
        case .notAFile(let path):
            "\(path) is no file, so it cannot be replaced by one. Name a file, or - for standard output."
        case .header(let path, let after, let offset): "\(path) is damaged at byte \(offset), \(after). \(Self.other)"
        case .part(let path, let name, let expected, let got):
            "\(path) is damaged: the SHA-256 of its part \(name) should be \(expected), and is \(got). \(Self.other)"
        case .order(let path, let expected, let got):
            "\(path) is damaged: the part \(got) is where \(expected) should be. \(Self.other)"
        case .size(let path, let name, let bytes, let bytesMax):
            "The part \(name) of \(path) has \(bytes) bytes, and \(bytesMax) are the most that a backup may have there."
        case .manifest(let path):
            "\(path) is damaged: its part \(PartName.manifest) says nothing that this causeboard knows. \(Self.other)"
        case .tail(let path, let bytes): "\(path) is damaged: \(bytes) bytes or more follow its end. \(Self.other)"
        }
    }
}
