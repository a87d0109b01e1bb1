import Logging
import Storage

extension Store {
    /// Checks before the first request that the database takes writes and keeps what it commits.
    /// - Parameter acceptsDangers: Whether a database that may lose what it commits is only warned of.
    /// - Throws: ``CommandError`` that says what to change.
    func requireDurability(acceptsDangers: Bool, logger: Logger) async throws {
        guard try await !serverVersion().isReadOnly else {
            throw CommandError(
                """
                The database takes no writes: it is a standby, or default_transaction_read_only is on. \
                Name the primary, or all its hosts in one URL, such as postgresql://user@one,two/causeboard.
                """
            )
        }
        let durability = try await durability()
        for warning in durability.warnings { logger.warning("\(warning)") }
        if durability.dangers.isEmpty { return }
        guard acceptsDangers else {
            throw CommandError(
                """
                The database may lose what was acknowledged. \(durability.dangers.joined(separator: " ")) \
                For a trial or a test, or where the storage itself makes writes safe, set \
                CAUSEBOARD_UNSAFE_DURABILITY=yes.
                """
            )
        }
        for danger in durability.dangers { logger.warning("\(danger)") }
    }
}
