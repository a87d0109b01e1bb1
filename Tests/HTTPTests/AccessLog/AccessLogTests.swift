import Foundation
import Glibc
import Logging
import Synchronization
import TestDatabases
import Testing

@testable import HTTP

/// The log's buffer and its file.
@Suite struct AccessLogTests {
    /// A directory that goes with the test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "access-log-\(UUID())").path()

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func lines(_ name: String) throws -> [String] {
            try String(contentsOfFile: path + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
        }
    }

    private let folder: Folder

    init() throws { folder = try Folder() }

    private static func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

    @Test("lines are written in their order, and all of them are there after a flush") func order() async throws {
        let log = try AccessLog(folder.path + "/log", logger: .none)
        for number in 0..<5_000 { log.append(Self.line(number)) }
        await log.flush(within: .seconds(60))
        #expect(try folder.lines("log") == (0..<5_000).map { "line \($0)" })
        #expect(log.droppedLinesCount == 0)
        await log.flush(within: .seconds(60))
    }

    @Test("a file is appended to, and only its owner and group may read it") func append() async throws {
        for number in 0..<2 {
            let log = try AccessLog(folder.path + "/log", logger: .none)
            log.append(Self.line(number))
            await log.flush(within: .seconds(60))
        }
        #expect(try folder.lines("log") == ["line 0", "line 1"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/log")[.posixPermissions] as? Int
        #expect((mode ?? 0o777) & 0o007 == 0)
    }

    @Test("after a rotation the lines before it are in the old file and those after it in the new one") func rotation()
        async throws
    {
        let log = try AccessLog(folder.path + "/log", logger: .none)
        log.append(Self.line(1))
        await log.flush(within: .seconds(60))
        try FileManager.default.moveItem(atPath: folder.path + "/log", toPath: folder.path + "/old")
        log.append(Self.line(2))
        log.reopen()
        await log.flush(within: .seconds(60))
        log.append(Self.line(3))
        await log.flush(within: .seconds(60))
        #expect(try folder.lines("old") == ["line 1", "line 2"])
        #expect(try folder.lines("log") == ["line 3"])
    }

    @Test("while the file cannot be opened again, the old one is used") func failedRotation() async throws {
        let log = try AccessLog(folder.path + "/log", logger: .none)
        try FileManager.default.moveItem(atPath: folder.path + "/log", toPath: folder.path + "/old")
        try FileManager.default.createDirectory(atPath: folder.path + "/log", withIntermediateDirectories: true)
        log.reopen()
        log.append(Self.line(1))
        await log.flush(within: .seconds(60))
        #expect(try folder.lines("old") == ["line 1"])
    }

    @Test(
        "a reader who has stopped delays nobody: lines beyond the bound are dropped and counted, the others come later")
    func slow() async throws {
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let log = try AccessLog(path, bytesMax: 200_000, logger: .none)
        // The pipe holds 64 KiB; so at most 264 KiB of these 1,000 KiB can be anywhere.
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_023) + [UInt8(ascii: "\n")]
        for _ in 0..<1_000 { log.append(line) }
        let dropped = log.droppedLinesCount
        #expect(dropped >= 1_000 - 264 && dropped < 1_000)
        await log.flush(within: .zero)

        var count = 0
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while count < (1_000 - dropped) * 1_024 {
            var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(poll(&ready, 1, 60_000) == 1)
            count += max(0, read(reader, &bytes, bytes.count))
        }
        #expect(count == (1_000 - dropped) * 1_024)
        await log.flush(within: .seconds(60))
        log.append(Self.line(1))
        #expect(log.droppedLinesCount == dropped, "there is room again")
        await log.flush(within: .seconds(60))
    }

    @Test("a full disk loses lines, counts them, and ends nothing") func full() async throws {
        let log = try AccessLog("/dev/full", logger: .none)
        for number in 0..<3 { log.append(Self.line(number)) }
        await log.flush(within: .seconds(60))
        #expect(log.droppedLinesCount == 3)
    }

    @Test("a log stops at twice the reserve of its disk, begins again when there is more, and says so once each time")
    func reserve() async throws {
        let freeBytes = Mutex<Int64>(200)
        let captured = CapturedLog(level: .info)
        let log = try AccessLog(
            folder.path + "/log", reserve: DiskReserveRule(bytes: 100),
            findDisk: { _ in DiskUse(bytes: 1_000, freeBytes: freeBytes.withLock { $0 }) }, logger: captured.logger)
        let steps: [(free: Int64, isStopped: Bool)] = [
            (200, false), (199, true), (100, true), (224, true), (225, false), (200, false),
        ]
        for (number, step) in steps.enumerated() {
            freeBytes.withLock { $0 = step.free }
            log.append(Self.line(number))
            await log.flush(within: .seconds(60))
            #expect(log.isStopped == step.isStopped, "\(step)")
        }
        #expect(try folder.lines("log") == ["line 0", "line 4", "line 5"])
        #expect(log.droppedLinesCount == 3)
        #expect(
            captured.messages == [
                "the access log drops its lines: its disk has little free space", "the access log is written again",
            ])
    }

    @Test("without a reserve, and where the disk is unknown, a log never stops") func noReserve() {
        let full = DiskUse(bytes: 1_000, freeBytes: 0)
        #expect(!DiskReserveRule(bytes: 0).stopsLogs(on: full, isStopped: true))
        #expect(DiskReserveRule(bytes: .max).stopsLogs(on: DiskUse(bytes: .max, freeBytes: .max), isStopped: false))
    }

    @Test("a file that cannot be opened is an error that says why") func refused() {
        #expect(throws: AccessLogFile.Failure.self) { try AccessLog(folder.path, logger: .none) }
        #expect(throws: AccessLogFile.Failure.self) { try AccessLog(folder.path + "/no/log", logger: .none) }
        #expect { try AccessLog(folder.path + "/no/log", logger: .none) } throws: {
            "\($0)" == "\(folder.path)/no/log cannot be opened: No such file or directory"
        }
    }
}
