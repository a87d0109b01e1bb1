package import Postgres
import Synchronization

extension ConnectionSettings {
    /// Runs a script on a connection of its own.
    package func script(_ sql: String) async throws {
        let connection = try await Connection.open(self, logger: .none)
        defer { connection.close() }
        try await connection.script(sql)
    }

    /// The first column of a statement's rows, as text, for questions that only a test has.
    /// - Parameter before: A script that runs first, in the same session.
    package func ask(_ sql: String, before: String = "") async throws -> [String] {
        let heard = Heard()
        var settings = self
        settings.onNotice = { notice in heard.lines.withLock { $0.append(notice.details.message) } }
        let connection = try await Connection.open(settings, logger: .none)
        defer { connection.close() }
        if !before.isEmpty { try await connection.script(before) }
        heard.lines.withLock { $0 = [] }
        // Scripts return no rows, but they deliver the server's notices in order.
        try await connection.script(
            """
            do $test$ declare line text; begin
            for line in execute $ask$\(sql)$ask$ loop raise notice '%', line; end loop; end $test$
            """
        )
        return heard.lines.withLock { $0 }
    }

    private final class Heard: Sendable { let lines = Mutex<[String]>([]) }
}
