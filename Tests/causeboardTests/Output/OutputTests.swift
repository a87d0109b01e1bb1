import Glibc
import Logging
import Testing

@testable import causeboard

/// What is written to standard error, by a server that has to outlive it.
@Suite struct OutputTests {
    @Test("a log whose disk is full or whose reader has gone ends no process") func refusingDescriptors() throws {
        signal(SIGPIPE, SIG_IGN)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        var pipe: [CInt] = [0, 0]
        try #require(Glibc.pipe(&pipe) == 0)
        close(pipe[0])
        defer { close(pipe[1]) }
        for descriptor in [full, pipe[1], -1] {
            let logger = Logger(label: "test") { _ in JSONLogHandler(logLevel: .info, descriptor: descriptor) }
            logger.info("there is no room for this")
            Output.tell("nor for this\n", to: descriptor)
        }
    }

    @Test("a line of the log is one object with its level and metadata") func line() throws {
        var pipe: [CInt] = [0, 0]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { close(pipe[0]) }
        let logger = Logger(label: "test") { _ in JSONLogHandler(logLevel: .info, descriptor: pipe[1]) }
        logger.info("said \"so\"", metadata: ["key": "value"])
        close(pipe[1])
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = read(pipe[0], &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(text.hasSuffix(#""level":"info","message":"said \"so\"","data":{"key":"value"}}"# + "\n"))
    }
}
