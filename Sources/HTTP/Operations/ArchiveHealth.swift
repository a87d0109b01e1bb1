import Telemetry

/// How the archiving of the embedded database's write-ahead log goes.
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

extension ArchiveHealth {
    func write(to metrics: inout MetricsText) { for figure in Self.figures { figure.write(self, to: &metrics) } }

    private static let figures: [Figure<ArchiveHealth>] = [
        Figure("archive_trouble", "1 while the WAL archive has this trouble.", by: "trouble") { health in
            [Trouble.failing, .behind, .base].map { ($0.rawValue, health.troubles.contains($0) ? 1 : 0) }
        }, Figure("archive_waiting_segments", "WAL segments that wait to be archived.") { $0.waitingFiles },
        Figure("archive_waiting_seconds", "How long the oldest of them has waited.") { $0.waitingSeconds },
        Figure("archive_segments_total", "Segments archived since the database was made.") { $0.archived },
        Figure("archive_failures_total", "Failed attempts to archive a segment.") { $0.failures },
        Figure("archive_base_age_seconds", "Age of the newest complete base backup.") { $0.baseSeconds },
    ]
}
