import Foundation
import Glibc
import Logging

/// What a verb has to say, on standard output. A full disk or a closed pipe is an error: half a list is worse than
/// none.
enum Output {
    static func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }

    /// What a person should know, on standard error: a script that reads the output does not see it.
    static func hint(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw CommandError("Standard output takes no more: \(String(cString: strerror(errno))).")
            }
        }
    }
}

/// Structured logs to standard error. Secrets, device ids and e-mail addresses are never given to them.
enum Log {
    static func start(_ level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        return Logger(label: "causeboard")
    }
}
