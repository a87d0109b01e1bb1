import Foundation

/// Bytes that wait on disk, first in, first out. The file has no name, and is gone with this object.
final class SpillFile {
    private let descriptor: Int32
    private var written: off_t = 0
    private var taken: off_t = 0

    init() throws {
        var name = Array(FileManager.default.temporaryDirectory.appendingPathComponent("XXXXXX").path.utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(name)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isEmpty: Bool { written == taken }

    func append(_ bytes: Data) throws {
        guard written + off_t(bytes.count) <= Limits.spilledBytesMax, lseek(descriptor, written, SEEK_SET) == written,
            DurableFiles.writeAll(bytes, to: descriptor)
        else { throw POSIXError(.ENOSPC) }
        written += off_t(bytes.count)
    }

    /// The next bytes, at most so many; nil when there are none.
    func take(atMost bytesMax: Int) throws -> Data? {
        if isEmpty { return nil }
        var buffer = [UInt8](repeating: 0, count: min(bytesMax, Int(written - taken)))
        let count = pread(descriptor, &buffer, buffer.count, taken)
        guard count > 0 else { throw POSIXError(.EIO) }
        taken += off_t(count)
        if isEmpty {
            (written, taken) = (0, 0)
            _ = ftruncate(descriptor, 0)
        }
        return Data(buffer[..<count])
    }
}
