import ArgumentParser
import Domain
import Postgres
import Storage

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database's schema up to date. With --database-url: as its owner.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await Database.withDatabase(try await Settings(database)) { database, logger in
            let applied = try await Migrator(database.owning, logger: logger).migrate(now: .now)
            try Output.line(applied == 0 ? "Nothing to migrate." : "Migrations applied: \(applied).")
        }
    }
}
