import Domain
import FoundationEssentials
import Leaderboard
import Logging
import Storage

/// Erases players who have not called for long, if the operator wants that. It looks at all players once a day, a few
/// at a time. Every process looks; who comes second finds them erased.
struct Purge {
    private static let pageRows: Int32 = 500
    private static let pagePause = Duration.milliseconds(250)

    let days: Int
    let store: Store
    let clock: ServerClock
    let logger: Logger

    /// While the database is away, players wait for the next day.
    func pass() async { try? await lookAtAll() }

    private func lookAtAll() async throws {
        let since = clock.now.advanced(bySeconds: -Int64(days) * 86_400)
        var last = Player.ID(rawValue: 0)
        var (erased, failed) = (0, 0)
        while !Task.isCancelled {
            let players = try await store.idlePlayers(after: last, since: since, limitRows: Self.pageRows)
            for (player, isIdle) in players where isIdle && !Task.isCancelled {
                // One who cannot be erased keeps nobody else; it is tried again on the next day.
                do { if try await erase(player, idleSince: since) { erased += 1 } } catch { failed += 1 }
            }
            guard let next = players.last?.player, players.count == Int(Self.pageRows) else { break }
            last = next
            try await Task.sleep(for: Self.pagePause)
        }
        if erased > 0 { logger.info("players who have not called were erased", metadata: ["players": "\(erased)"]) }
        if failed > 0 {
            logger.warning("players who have not called could not be erased", metadata: ["players": "\(failed)"])
        }
    }

    /// Erases a player, unless it has called since its page was read.
    private func erase(_ player: Player.ID, idleSince since: Instant) async throws -> Bool {
        let before = Player.ID(rawValue: player.rawValue - 1)
        guard let found = try await store.idlePlayers(after: before, since: since, limitRows: 1).first,
            found.player == player, found.isIdle,
            let record = try await store.admin.findPlayerRecord(player, withAnonymous: true)
        else { return false }
        let action = ModerationAction(.erase(player, confirming: record.name), id: UUID(), reason: .idle)
        guard case .done = try await store.admin.perform(action, by: "server", now: clock.now) else { return false }
        return true
    }
}
