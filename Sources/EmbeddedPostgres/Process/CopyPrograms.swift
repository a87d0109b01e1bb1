import Glibc

/// PostgreSQL's programs that copy a database: `pg_dump` and `pg_restore`, of the database's own major version.
package struct CopyPrograms: Sendable {
    private let binaries: Binaries

    /// Finds the programs.
    /// - Parameters:
    ///   - major: The major version of the database.
    ///   - override: The one directory to look in; nil looks where the packages and PATH have them.
    /// - Throws: `.noProgram` that says what to install.
    package static func find(major: Int, in override: String?) async throws(ClusterError) -> CopyPrograms {
        for source in BinarySource.all(override: override) {
            for found in try await source.look(for: ["pg_dump", "pg_restore"], as: .ourselves)
            where found.major == major { return CopyPrograms(binaries: found) }
        }
        throw .noProgram(name: "pg_dump", major: major, package: "postgresql-client")
    }

    /// Writes a database as another transaction sees it, in `pg_dump`'s own format. Roles, rights and publications are
    /// not in it, because `migrate` makes those.
    /// - Parameters:
    ///   - login: Where to connect.
    ///   - snapshot: A snapshot that a transaction has exported and keeps open.
    ///   - body: Reads it from a descriptor, and may block.
    package func dump(_ login: ProgramLogin, snapshot: String, _ body: @escaping @Sendable (CInt) throws -> Void)
        async throws
    { try await dumping(login, snapshot).run(.output, body) }

    /// Fills an empty database in one transaction.
    /// - Parameter body: Writes what ``dump(_:snapshot:_:)`` has read to a descriptor, and may block.
    package func restore(_ login: ProgramLogin, _ body: @escaping @Sendable (CInt) throws -> Void) async throws {
        try await restoring(login).run(.input, body)
    }

    /// Fills an empty database with what another one has, in one transaction. Ends both programs when one fails.
    /// - Parameter progress: Gets the number of bytes that have passed so far.
    package func copy(
        _ source: ProgramLogin, snapshot: String, to target: ProgramLogin, progress: @escaping @Sendable (Int) -> Void
    ) async throws {
        let dump = dumping(source, snapshot, ["--compress=0"])
        // The bytes pass through this process, so that a kill of it cuts them and the restore rolls back.
        try await restoring(target).run(.input) { input in
            try dump.start(.output).finish { output in try pump(output, to: input, "the dump", progress) }
        }
    }

    private func dumping(_ login: ProgramLogin, _ snapshot: String, _ more: [String] = []) -> PipedProgram {
        let options = ["--snapshot=\(snapshot)", "--no-publications", "--no-subscriptions"]
        return program("pg_dump", options + more, login)
    }

    private func restoring(_ login: ProgramLogin) -> PipedProgram {
        program("pg_restore", ["--single-transaction", "--exit-on-error"], login)
    }

    private func program(_ name: String, _ options: [String], _ login: ProgramLogin) -> PipedProgram {
        let common = [
            "--dbname=\(login.conninfo)", "--format=custom", "--no-owner", "--no-privileges", "--no-password",
        ]
        return PipedProgram(
            name: name, arguments: [binaries.program(name)] + common + options, environment: login.environment)
    }
}

/// How a program of PostgreSQL's connects. All users of the machine see its arguments, so no password is among them.
package struct ProgramLogin: Sendable {
    let conninfo: String
    let environment: [String]

    /// - Parameters:
    ///   - conninfo: A connection string without secrets.
    ///   - environment: As `NAME=value`.
    package init(conninfo: String, environment: [String] = []) {
        (self.conninfo, self.environment) = (conninfo, environment)
    }
}
