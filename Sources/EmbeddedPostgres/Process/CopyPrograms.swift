import Glibc

/// PostgreSQL's programs that copy a database: `pg_dump` and `pg_restore`, of the database's own major version.
package struct CopyPrograms: Sendable {
    private let directory: String
    package let major: Int

    /// Finds the programs.
    /// - Parameters:
    ///   - major: The major version of the database.
    ///   - override: The one directory to look in; nil looks where the packages and PATH have them.
    /// - Throws: `.noProgram` that says what to install.
    package static func find(major: Int, in override: String?) async throws(ClusterError) -> CopyPrograms {
        var places = override.map { [$0] } ?? ["/usr/lib/postgresql/\(major)/bin"]
        if override == nil, let path = getenv("PATH") {
            places += String(cString: path).split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        let names = ["pg_dump", "pg_restore"]
        for place in places where names.allSatisfy({ access("\(place)/\($0)", X_OK) == 0 }) {
            if try await version(of: "\(place)/pg_dump") == major {
                return CopyPrograms(directory: place, major: major)
            }
        }
        throw .noProgram(name: "pg_dump", major: major, package: "postgresql-client")
    }

    /// Asks for the version: `pg_dump (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`.
    private static func version(of program: String) async throws(ClusterError) -> Int? {
        let ourselves = ClusterUser(name: "", id: geteuid(), group: getegid(), isAnother: false)
        let outcome = try await Command(program, ["--version"], as: ourselves).run(within: Limits.shortCommand)
        let number = outcome.output.split(separator: " ").first { $0.first?.isNumber == true }
        return number.flatMap { Int($0.prefix(while: \.isNumber)) }
    }

    /// Writes a database as another transaction sees it, in `pg_dump`'s own format. Roles, rights and publications are
    /// not in it, because `migrate` makes those.
    /// - Parameters:
    ///   - login: Where to connect.
    ///   - snapshot: A snapshot that a transaction has exported and keeps open.
    ///   - body: Reads it from a descriptor, and may block.
    package func dump(_ login: ProgramLogin, snapshot: String, _ body: @escaping @Sendable (CInt) throws -> Void)
        async throws
    {
        let options = [
            "--dbname=\(login.conninfo)", "--format=custom", "--snapshot=\(snapshot)", "--no-owner", "--no-privileges",
            "--no-publications", "--no-subscriptions", "--no-password",
        ]
        try await program("pg_dump", options, login).run(.output, body)
    }

    /// Fills an empty database in one transaction.
    /// - Parameter body: Writes what ``dump(_:snapshot:_:)`` has read to a descriptor, and may block.
    package func restore(_ login: ProgramLogin, _ body: @escaping @Sendable (CInt) throws -> Void) async throws {
        let options = [
            "--dbname=\(login.conninfo)", "--format=custom", "--single-transaction", "--exit-on-error", "--no-owner",
            "--no-privileges", "--no-password",
        ]
        try await program("pg_restore", options, login).run(.input, body)
    }

    private func program(_ name: String, _ options: [String], _ login: ProgramLogin) -> PipedProgram {
        PipedProgram(name: name, arguments: ["\(directory)/\(name)"] + options, environment: login.environment)
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
