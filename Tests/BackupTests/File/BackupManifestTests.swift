import Testing

@testable import Backup

@Suite struct BackupManifestTests {
    private let scores = BackupManifest.Sum(subject: "scores", rows: 3, points: "30")
    private let players = BackupManifest.Sum(subject: "players", rows: 2, points: "0")
    private let erasures = BackupManifest.Sum(subject: "erasures", rows: 0, points: "0")

    private func manifest(_ sums: [BackupManifest.Sum]) -> BackupManifest {
        BackupManifest(
            program: "test", schema: 1, postgresql: 150_018, moment: "2026-11-22T12:00:00Z", position: "0/3000028",
            sums: sums)
    }

    @Test("counts are compared by their subject, because a database may give them in another order") func order() {
        #expect(manifest([scores, players, erasures]).differences(from: [erasures, scores, players]).isEmpty)
    }

    @Test("what differs is named, and so is what only one of them counted") func named() {
        let fewer = BackupManifest.Sum(subject: "scores", rows: 2, points: "20")
        #expect(
            manifest([scores, players]).differences(from: [erasures, fewer]) == [
                "erasures should be uncounted, and are 0 (0)", "players should be 2 (0), and are uncounted",
                "scores should be 3 (30), and are 2 (20)",
            ])
    }
}
