import Foundation
import Glibc
import Logging

/// Writes a command's output to standard output. A full disk or a closed pipe is an error, because half a list is worse
/// than none.
enum Output {
    static func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }

    /// Writes a line for a person to standard error, where a script that reads the output does not see it.
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

/// Starts structured logs on standard error. Secrets, device ids and e-mail addresses must never be logged.
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
