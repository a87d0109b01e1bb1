import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// The file behind the queue. Lines are only ever appended, each with a checksum of its own, so that a line that was
/// torn by a crash or damaged later costs none of the others. When most lines are about what is over the file is
/// written anew.
final class Journal {
    enum Entry: Codable {
        case queued(PendingWrite)
        case sent(UUID)
        case refused(RefusedWrite)
        /// The game has seen that it was refused.
        case dismissed(UUID)
    }

    /// What the entries come to.
    struct Contents {
        /// In the order in which they were queued.
        var pending: [PendingWrite] = []
        /// In the order in which they were refused.
        var refused: [RefusedWrite] = []
        /// Whole lines that could not be read. Each may have been a post or a donation that was taken.
        var damagedLines = 0
        /// Whether a crash tore the last line. What it was about was not taken, or is sent once more.
        var isTorn = false
        fileprivate var lines = 0

        fileprivate mutating func add(_ entries: [Entry]) {
            var queue = OrderedWrites()
            for entry in entries {
                switch entry {
                case .queued(let write): queue.append(write)
                case .sent(let id): queue.remove(id)
                case .refused(let write):
                    queue.remove(write.id)
                    refused.append(write)
                case .dismissed(let id): refused.removeAll { $0.id == id }
                }
            }
            pending = queue.writes
        }
    }

    let url: URL
    private var lock: FileLock?
    private var descriptor: Int32 = -1
    private var bytes: Int64 = 0
    private var lines = 0
    private var hasDamagedLines = false
    private var isClosed = false
    /// Whether a failed append may have left a part of its line.
    private var isTorn = false
    /// Whether the file's name is on disk, and not only in the system's memory.
    private var isNameDurable = false

    /// - Throws: `.storage` when another object or process has this journal open.
    init(_ url: URL) throws(CauseboardError) {
        self.url = url
        lock = try FileLock.take(url.appendingPathExtension("lock"))
    }

    deinit { close() }

    /// Lets others open the journal. Appending to it from now on is an error.
    func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        (descriptor, lock, isClosed) = (-1, nil, true)
    }

    /// Reads what is there, cuts a torn last line off, and gets ready to append.
    func load() throws(CauseboardError) -> Contents {
        let data = try DurableFiles.read(url)
        var contents = Contents()
        var entries: [Entry] = []
        var whole = 0
        if let data {
            for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
                whole += line.count + 1
                if let entry = Self.entry(line) { entries.append(entry) } else { contents.damagedLines += 1 }
            }
            contents.isTorn = whole < data.count
        }
        contents.add(entries)
        try openFile()
        (bytes, lines) = (Int64(whole), entries.count + contents.damagedLines)
        hasDamagedLines = contents.damagedLines > 0
        // The queue must not append to the rest of a line that was torn.
        guard DurableFiles.truncate(descriptor, to: bytes, of: url), DurableFiles.synchronize(descriptor, of: url)
        else { throw DurableFiles.failure("truncate", url) }
        // An earlier start may have made the file and ended before its name was on disk.
        try mend()
        return contents
    }

    /// Appends an entry; when this returns and `isDurable` is set, it is on disk. After an error nothing was appended;
    /// what is left of its line is cut off before the next.
    /// - Parameter isDurable: Whether to wait for the disk. What may be sent twice without harm need not.
    func append(_ entry: Entry, isDurable: Bool) throws(CauseboardError) {
        let line = try Self.line(entry)
        guard line.count <= Limits.journalLineBytesMax + 1 else {
            throw .storage("a line of \(url.path) would be too long to be read again")
        }
        try mend()
        guard DurableFiles.writeAll(line, to: descriptor, of: url),
            !isDurable || DurableFiles.synchronize(descriptor, of: url)
        else {
            let error = DurableFiles.failure("append", url)
            isTorn = true
            try? mend()
            throw error
        }
        bytes += Int64(line.count)
        lines += 1
    }

    /// Brings to its end what an earlier error left undone, so that nothing is appended to a part of a line, or to a
    /// file that would be gone after the power failed.
    private func mend() throws(CauseboardError) {
        guard !isClosed else { throw .storage("\(url.path) is closed") }
        if descriptor < 0 {
            try openFile()
            bytes = Int64(lseek(descriptor, 0, SEEK_END))
        }
        if isTorn {
            guard DurableFiles.truncate(descriptor, to: bytes, of: url) else {
                throw DurableFiles.failure("truncate", url)
            }
            isTorn = false
        }
        if !isNameDurable {
            try DurableFiles.synchronizeDirectory(url.deletingLastPathComponent())
            isNameDurable = true
        }
    }

    /// Writes the file anew when it says mostly what is over. After an error the journal goes on, with the old file or
    /// the new one.
    func compact(pending: [PendingWrite], refused: [RefusedWrite]) throws(CauseboardError) {
        guard lines - pending.count - refused.count > Limits.journalStaleLinesMax else { return }
        try mend()
        if hasDamagedLines {
            try DurableFiles.copyAside(url)
            hasDamagedLines = false
        }
        var data = Data()
        for write in refused { data.append(try Self.line(.refused(write))) }
        for write in pending { data.append(try Self.line(.queued(write))) }
        var failure: CauseboardError?
        do { try DurableFiles.write(data, to: url) } catch { failure = error }
        // The error may have come after the renaming. Then the open file has no name any more, and what is appended to
        // it would be lost.
        let old = descriptor
        descriptor = -1
        defer { Foundation.close(old) }
        try openFile()
        if Self.file(descriptor) != Self.file(old) {
            (bytes, lines) = (Int64(data.count), pending.count + refused.count)
            isNameDurable = failure == nil
        }
        guard lseek(descriptor, 0, SEEK_END) == off_t(bytes) else { throw DurableFiles.failure("seek", url) }
        if let failure { throw failure }
    }

    /// Takes every line away.
    func clear() throws(CauseboardError) {
        try mend()
        guard DurableFiles.truncate(descriptor, to: 0, of: url), DurableFiles.synchronize(descriptor, of: url) else {
            throw DurableFiles.failure("truncate", url)
        }
        (bytes, lines) = (0, 0)
    }

    /// The number of an open file, which two that are open at once do not share.
    private static func file(_ descriptor: Int32) -> UInt64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    private func openFile() throws(CauseboardError) {
        descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFiles.failure("open", url) }
    }
}

// MARK: - Lines

extension Journal {
    /// The first 8 bytes of the text's SHA-256 in hex, a space, and the entry in JSON, which has no line feed.
    private static func line(_ entry: Entry) throws(CauseboardError) -> Data {
        let text = try JSONText.encode(entry)
        return Data((checksum(text) + " ").utf8) + text + Data("\n".utf8)
    }

    /// Nil for a line that is not as it was written.
    private static func entry(_ line: Data) -> Entry? {
        guard line.count <= Limits.journalLineBytesMax, let space = line.firstIndex(of: UInt8(ascii: " ")) else {
            return nil
        }
        let text = line[(space + 1)...]
        guard line[..<space].elementsEqual(checksum(text).utf8) else { return nil }
        return try? JSONDecoder().decode(Entry.self, from: Data(text))
    }

    private static func checksum(_ text: Data) -> String { Hex.text(SHA256.hash(data: text).prefix(8)) }
}

/// Writes in their order, of which any can be taken out.
struct OrderedWrites {
    private var order: [UUID] = []
    private var known: [UUID: PendingWrite] = [:]

    mutating func append(_ write: PendingWrite) {
        if known.updateValue(write, forKey: write.id) == nil { order.append(write.id) }
    }

    mutating func remove(_ id: UUID) { known[id] = nil }

    var writes: [PendingWrite] { order.compactMap { known[$0] } }
}
