import Glibc
import Synchronization

/// A pipe whose ends are closed once each, by whoever is done first.
final class ClosablePipe: Sendable {
    let reading: CInt
    let writing: CInt
    private let isOpen = Mutex((reading: true, writing: true))

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandError("No pipe can be made: \(String(cString: strerror(errno))).") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeReading() {
        isOpen.withLock { open in
            if open.reading { close(reading) }
            open.reading = false
        }
    }

    func closeWriting() {
        isOpen.withLock { open in
            if open.writing { close(writing) }
            open.writing = false
        }
    }

    deinit {
        closeReading()
        closeWriting()
    }
}
