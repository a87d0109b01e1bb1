import Glibc
import HTTP
import Logging

/// Writes a command's output to standard output. A full disk or a closed pipe is an error, because half a list is worse
/// than none.
enum Output {
    /// The first five of some names for a message, and how many more there are.
    static func list(_ names: [String], of count: Int) -> String {
        names.prefix(5).joined(separator: ", ") + (count > 5 ? " and \(count - 5) more" : "")
    }

    static func line(_ text: String) throws { try write(Array((text + "\n").utf8)) }

    /// Writes a line for a person to standard error, where a script that reads the output does not see it.
    static func hint(_ text: String) { tell(text + "\n") }

    /// Writes to standard error, or another descriptor, what is not worth a failure, such as a line of the log or of
    /// progress: what a full disk or a closed pipe does not take is left out.
    static func tell(_ text: String, to descriptor: CInt = STDERR_FILENO) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || errno != EINTR { return }
        }
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

/// Starts structured logs on standard error. Secrets, device ids and e-mail addresses must never be logged. What is
/// logged while a request is answered has the request's id. The first line warns of passwords in arguments.
enum Log {
    static func start(_ level: Logger.Level, _ format: LogFormat) -> Logger {
        let requests = Logger.MetadataProvider { RequestIDs.current.map { ["request": "\($0)"] } ?? [:] }
        LoggingSystem.bootstrap(
            { label, provider in
                switch format {
                case .text:
                    var handler = StreamLogHandler.standardError(label: label, metadataProvider: provider)
                    handler.logLevel = level
                    return handler
                case .json: return JSONLogHandler(logLevel: level, metadataProvider: provider)
                }
            }, metadataProvider: requests)
        let logger = Logger(label: "causeboard")
        PasswordArguments.warn(logger: logger)
        return logger
    }
}
