import ArgumentParser
import Backup
import FoundationEssentials
import Logging
import Storage

/// Verifies a backup: it is restored into a scratch database, which is audited, compared and removed.
struct Verification {
    let settings: Settings
    let isQuiet: Bool

    func run(_ file: String) async throws {
        let logger = Log.start(settings.logLevel ?? .warning, settings.logFormat)
        do {
            let (manifest, findings) = try await Interruption.heeded { [settings, isQuiet] in
                let backup = try BackupFile.read(file, isQuiet: isQuiet)
                let scratch = try ScratchDirectory()
                defer { scratch.remove() }
                let restoration = Restoration(
                    settings: settings.scratch(at: "\(scratch.path)/data"), logger: logger, isQuiet: isQuiet,
                    isDurable: false)
                return (backup.manifest, try await restoration.restore(backup))
            }
            var table = TextTable(["what was counted", "rows", "sum"], alignedRight: [1, 2])
            for sum in manifest.sums { table.add([sum.subject, "\(sum.rows)", sum.points]) }
            try Output.line(table.text)
            try AuditReport.write(findings)
            try Output.line("\(file) is whole, and restores to what it says, as of \(manifest.moment).")
        } catch { throw CommandError.explaining(error) }
    }
}

/// A directory that PostgreSQL's user can pass through, and that goes again.
struct ScratchDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/causeboard-verify-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o711])
        } catch { throw CommandError("The directory \(path) cannot be made. Set TMPDIR to one with room.") }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// Reads backups for commands.
enum BackupFile {
    /// Reads the whole file and checks it.
    static func read(_ path: String, isQuiet: Bool) throws -> BackupReader {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        let progress = ProgressLine("MiB checked", of: size >> 20, isQuiet: isQuiet)
        defer { progress.end() }
        return try BackupReader(path) { progress.show($0 >> 20) }
    }
}
