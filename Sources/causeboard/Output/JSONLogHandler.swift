import Domain
import Glibc
import Logging
import Telemetry

/// How the log is written.
enum LogFormat: String, CaseIterable, Sendable { case text, json }

/// Writes each line of the log as a JSON object: `time`, `level`, `message`, and the metadata under `data`.
struct JSONLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// Where the lines go.
    var descriptor: CInt = STDERR_FILENO

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = Self.line(
            at: .now, event.level, event.message.description,
            metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 })
        Output.tell(line, to: descriptor)
    }

    static func line(at time: Instant, _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> String
    {
        var text = "{\"time\":\"\(time.rfc3339(.microseconds))\",\"level\":\"\(level.rawValue)\""
        text += ",\"message\":" + JSONText.quoted(message)
        if let request = metadata["request"] { text += ",\"request\":" + JSONText.quoted("\(request)") }
        let data = metadata.filter { $0.key != "request" }.sorted { $0.key < $1.key }
        if !data.isEmpty {
            text += ",\"data\":{"
            text += data.map { JSONText.quoted($0.key) + ":" + JSONText.quoted("\($0.value)") }.joined(separator: ",")
            text += "}"
        }
        return text + "}\n"
    }
}
