import Glibc

/// The file behind the access log, or standard output. A trouble loses lines and ends nothing: the next lines are tried
/// again.
struct AccessLogFile: ~Copyable {
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let reason: String

        package var description: String { "\(path) cannot be opened: \(reason)" }
    }

    /// Nil for standard output.
    private let path: String?
    private var descriptor: Int32
    private let reserve: DiskReserveRule
    private let findDisk: @Sendable (Int32) -> DiskUse?
    /// Whether it writes nothing, because its disk has little free space.
    private(set) var isStopped = false
    /// True after a line of which only the beginning was written.
    private var isInsideLine = false
    private var trouble: String?
    /// Whether ``newTrouble()`` has told the trouble.
    private var isReported = false

    /// - Parameters:
    ///   - path: `-` is standard output.
    ///   - findDisk: The disk of an open file; nil if it has none.
    init(_ path: String, reserve: DiskReserveRule, findDisk: @escaping @Sendable (Int32) -> DiskUse?) throws(Failure) {
        self.path = path == "-" ? nil : path
        self.reserve = reserve
        self.findDisk = findDisk
        descriptor = STDOUT_FILENO
        guard let path = self.path else { return }
        descriptor = Self.open(path)
        if descriptor < 0 { throw Failure(path: path, reason: Self.reason) }
    }

    deinit { if path != nil { Glibc.close(descriptor) } }

    /// - Returns: How many lines were lost.
    mutating func write(_ lines: [UInt8]) -> Int {
        guard !lines.isEmpty else { return 0 }
        isStopped = findDisk(descriptor).map { reserve.stopsLogs(on: $0, isStopped: isStopped) } ?? false
        if isStopped { return Self.linesCount(lines[...]) }
        if isInsideLine {
            guard send([UInt8(ascii: "\n")]) == 1 else { return Self.linesCount(lines[...]) }
            isInsideLine = false
        }
        let sent = send(lines)
        guard sent < lines.count else {
            trouble = nil
            isReported = false
            return 0
        }
        isInsideLine = sent > 0 && lines[sent - 1] != UInt8(ascii: "\n")
        return Self.linesCount(lines[sent...])
    }

    /// Opens the file of that name again. While that fails, the file that is open stays in use.
    mutating func reopen() {
        guard let path else { return }
        let fresh = Self.open(path)
        guard fresh >= 0 else {
            trouble = "it cannot be opened again: \(Self.reason)"
            isReported = false
            return
        }
        Glibc.close(descriptor)
        descriptor = fresh
        isInsideLine = false
    }

    /// What is wrong since it was last asked for; each trouble is told once.
    mutating func newTrouble() -> String? {
        guard !isReported else { return nil }
        isReported = trouble != nil
        return trouble
    }

    /// - Returns: How many bytes were written; fewer than all after an error.
    private mutating func send(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count > 0 {
                sent += count
            } else if count < 0, errno == EAGAIN {
                // A pipe is full. Its reader decides how long this thread waits.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else if count == 0 || errno != EINTR {
                trouble = count == 0 ? "it takes no bytes" : Self.reason
                break
            }
        }
        return sent
    }

    /// `O_NONBLOCK` keeps the opening of a pipe that nobody reads from blocking; it changes nothing for a file.
    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
    }

    private static func linesCount(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }

    private static var reason: String { String(cString: strerror(errno)) }
}
