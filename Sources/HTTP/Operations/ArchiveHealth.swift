import Telemetry

/// How the archiving of the embedded database's log of changes goes.
package struct ArchiveHealth: Sendable, Equatable {
    /// What is wrong with an archive. It makes no server unready: posts are taken all the same, until the disk is full
    /// of what could not be archived.
    package enum Trouble: String, Sendable {
        /// The latest segment could not be archived.
        case failing = "archive-failing"
        /// Segments wait for longer than archiving takes.
        case behind = "archive-behind"
        /// The base backup that is due could not be made.
        case base = "archive-base-failing"
    }

    package var troubles: [Trouble]
    package var waitingFiles: Int
    /// Seconds that the oldest of these has waited.
    package var waitingSeconds: Int
    package var archived: Int
    package var failures: Int
    /// Seconds since the newest base backup was complete; nil when there is none.
    package var baseSeconds: Int?

    package init(
        troubles: [Trouble] = [], waitingFiles: Int = 0, waitingSeconds: Int = 0, archived: Int = 0, failures: Int = 0,
        baseSeconds: Int? = nil
    ) {
        self.troubles = troubles
        self.waitingFiles = waitingFiles
        self.waitingSeconds = waitingSeconds
        self.archived = archived
        self.failures = failures
        self.baseSeconds = baseSeconds
    }
}

extension MetricsText {
    mutating func archive(_ health: ArchiveHealth) {
        gauge(
            "archive_trouble", "1 while the archive of the log of changes has this trouble.",
            [ArchiveHealth.Trouble.failing, .behind, .base].map {
                ("{trouble=\"\($0.rawValue)\"}", health.troubles.contains($0) ? 1 : 0)
            })
        gauge(
            "archive_waiting_segments", "Segments of the log of changes that wait to be archived.", health.waitingFiles)
        gauge("archive_waiting_seconds", "Since the oldest of them waits.", health.waitingSeconds)
        counter("archive_segments_total", "Segments archived since the database was made.", [("", health.archived)])
        counter("archive_failures_total", "Attempts to archive one that failed.", [("", health.failures)])
        if let seconds = health.baseSeconds {
            gauge("archive_base_age_seconds", "Since the newest base backup was complete.", seconds)
        }
    }
}
