import Glibc
import Gzip

/// The archived write-ahead log of a database: a directory of files that PostgreSQL has handed over, each compressed
/// with the checksum of what it holds.
package struct WALArchive {
    /// PostgreSQL's largest segment has 1 GB.
    private static let fileBytesMax = 1 << 30

    package let directory: String

    package init(_ directory: String) { self.directory = directory }

    private func path(_ name: String) -> String { "\(directory)/\(name).gz" }

    /// Keeps a file. When this returns, the file outlasts a power cut. Doing it again is harmless: PostgreSQL does so
    /// after a crash.
    /// - Parameter source: The file's path.
    /// - Throws: `.differs` when the archive has another file of that name, which stays as it is.
    package func keep(_ source: String, as name: String) throws(ArchiveError) {
        guard WALName(name) != nil else { throw .notOfLog(name) }
        let content = try Self.content(of: source)
        let path = path(name)
        do throws(BackupError) {
            let file = try NewFile(path, mayReplace: false)
            // The fastest level already takes the zeros of a segment that was handed over before it was full.
            try file.descriptor.write(gzip(content, level: 1), to: path)
            try file.finish()
        } catch .exists {
            guard gunzip(try Self.content(of: path), bytesMax: Self.fileBytesMax) == content else {
                throw .differs(path)
            }
            // Whoever wrote it may have ended before the directory was durable.
            synchronize(directoryOf: path)
        } catch { throw .file(error) }
    }

    /// Writes a kept file to a path.
    /// - Returns: False when the archive has no such file, as at its end.
    /// - Throws: `.damaged` when it is cut or changed.
    package func fetch(_ name: String, to target: String) throws(ArchiveError) -> Bool {
        guard WALName(name) != nil else { throw .notOfLog(name) }
        guard access(path(name), F_OK) == 0 || errno != ENOENT else { return false }
        guard let content = gunzip(try Self.content(of: path(name)), bytesMax: Self.fileBytesMax) else {
            throw .damaged(path(name))
        }
        let number = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw .file(.failed("write", target)) }
        let file = Descriptor(taking: number)
        do throws(BackupError) { try file.write(content, to: target) } catch { throw .file(error) }
        return true
    }

    /// The numbers of all segments, whatever their timeline, in order.
    private var segments: [UInt64] {
        Set(
            fileNames(in: directory).compactMap { file -> UInt64? in
                guard file.hasSuffix(".gz"), case .segment(_, let number)? = WALName(String(file.dropLast(3))) else {
                    return nil
                }
                return number
            }
        ).sorted()
    }

    /// Checks that no segment is missing between the first one that is needed and the newest.
    package func requireAll(from first: UInt64) throws(ArchiveError) {
        let segments = segments.filter { $0 >= first }
        let newest = segments.last ?? first
        for (number, there) in zip(first..., segments) where number != there {
            throw .gap(directory: ArchiveLayout(ofLog: directory).directory, number: number, newest: newest)
        }
        if segments.isEmpty {
            throw .gap(directory: ArchiveLayout(ofLog: directory).directory, number: first, newest: newest)
        }
    }

    /// Removes segments that no kept base backup needs, and what an archiver that was killed has left.
    /// - Parameters:
    ///   - first: The first segment to keep.
    ///   - now: Seconds since 1970.
    package func prune(before first: UInt64, now: Int) {
        for file in fileNames(in: directory) {
            if file.hasSuffix(".gz"), case .segment(_, let number)? = WALName(String(file.dropLast(3))), number < first
            {
                unlink("\(directory)/\(file)")
            } else if file.hasSuffix(".unfinished") {
                var status = stat()
                let isOld = stat("\(directory)/\(file)", &status) == 0 && Int(status.st_mtim.tv_sec) < now - 86_400
                if isOld { unlink("\(directory)/\(file)") }
            }
        }
    }

    private static func content(of path: String) throws(ArchiveError) -> [UInt8] {
        do throws(BackupError) {
            let file = try Descriptor(reading: path)
            let bytes = try file.size(of: path)
            if bytes <= fileBytesMax { return try file.read(bytes, of: path) }
        } catch { throw .file(error) }
        throw .tooLarge(path, bytesMax: fileBytesMax)
    }
}
