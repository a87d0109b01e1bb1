import Logging

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
