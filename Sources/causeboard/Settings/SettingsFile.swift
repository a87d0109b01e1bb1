import FoundationEssentials

/// Checks the form of a settings file: one `NAME=value` a line, named as in the environment, without quotes; `#` begins
/// a comment line.
enum SettingsFile {
    /// Checks every line of a settings file, because a misspelt name would be ignored silently.
    /// - Throws: ``CommandError`` that names the line and what is wrong with it.
    static func check(_ file: String) throws {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw CommandError("The settings file \(file) cannot be read. It is text, with a NAME=value a line.")
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.filter { $0 != "\r" }
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
            let place = "Line \(index + 1) of \(file)"
            guard let equals = line.firstIndex(of: "=") else { throw CommandError("\(place) is no NAME=value.") }
            let name = String(line[..<equals])
            guard names.contains(name) else {
                throw CommandError("\(place): there is no setting \(name). There are \(names.joined(separator: ", ")).")
            }
            let value = line[line.index(after: equals)...]
            guard value.first != "\"", value.first != "'" else { throw CommandError("\(place): leave out the quotes.") }
        }
    }

    private static let names = [
        "DATABASE_URL", "CAUSEBOARD_DATA", "CAUSEBOARD_SECRET", "CAUSEBOARD_SECRET_FILE", "CAUSEBOARD_LOG_LEVEL",
        "CAUSEBOARD_PG_BIN", "CAUSEBOARD_HOST", "CAUSEBOARD_PORT", "CAUSEBOARD_PUBLIC_URL", "CAUSEBOARD_CONNECTIONS",
        "CAUSEBOARD_NAMES_MEMORY", "CAUSEBOARD_STREAM_URL", "CAUSEBOARD_MIGRATE", "CAUSEBOARD_ADMIN_LISTEN",
        "CAUSEBOARD_ACCESS_LOG", "CAUSEBOARD_PURGE_AFTER", "CAUSEBOARD_SWEEP_AFTER", "CAUSEBOARD_PAST_AFTER",
        "CAUSEBOARD_SAVES_AFTER", "CAUSEBOARD_DISK_RESERVE", "CAUSEBOARD_DATABASE_MAX",
        "CAUSEBOARD_TRUSTED_PROXIES", "CAUSEBOARD_PROXY_HEADER",
        "CAUSEBOARD_EVENT_NETWORK",
        "CAUSEBOARD_LIMIT", "CAUSEBOARD_LIMITS", "CAUSEBOARD_TLS_CERTIFICATE", "CAUSEBOARD_TLS_KEY",
        "CAUSEBOARD_PLAIN_PORT", "CAUSEBOARD_TLS_REDIRECT", "CAUSEBOARD_UNSAFE_DURABILITY",
        "CAUSEBOARD_CONNECTIONS_PER_ADDRESS", "CAUSEBOARD_ADMIN_PUBLIC", "CAUSEBOARD_PLAY",
        "CAUSEBOARD_REPLICA_URL", "CAUSEBOARD_ARCHIVE", "CAUSEBOARD_ARCHIVE_BASE_DAYS", "CAUSEBOARD_ARCHIVE_KEEP",
        "CAUSEBOARD_LOG_FORMAT", "CAUSEBOARD_TRACE_SAMPLE", "CAUSEBOARD_TRACE_OTLP", "CAUSEBOARD_TRACE_LINES",
    ]
}
