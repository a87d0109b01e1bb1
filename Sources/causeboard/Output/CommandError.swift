import Domain
import Postgres
import Storage

/// Why a command failed: a sentence for the administrator that says what to do.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static let otherSecret = CommandError(
        """
        The database was set up with another secret: with this one no device would be known. \
        Start with the secret of its first server (CAUSEBOARD_SECRET or --secret-file).
        """)
}

extension CommandError {
    /// Makes a value from options. Its errors name the option.
    static func checked<Value>(_ make: () throws -> Value) throws -> Value {
        do { return try make() } catch let error as FieldError { throw CommandError(error.asOption) }
    }

    private static let formerPrimary = CommandError(
        """
        The database is a former primary: another host of the URL is on a newer timeline. \
        See that the new primary takes connections, and stop the former one.
        """)

    /// Turns an error of the database into a sentence for the administrator; returns any other error as it is.
    static func explaining(_ error: any Error) -> any Error {
        switch error {
        case StoreError.unavailable, StoreError.overloaded, StoreError.crowded:
            return CommandError(
                "The database is away or overloaded. See that PostgreSQL runs and takes connections, then do it again."
                    + ofEnvironment)
        case StoreError.formerPrimary: return formerPrimary
        case StoreError.bug(let state): return CommandError(words(for: state))
        case let error as PostgresError where error.refusal == .formerPrimary: return formerPrimary
        case let error as PostgresError: return CommandError(words(for: error.refusal ?? error.state))
        default: return error
        }
    }

    /// The variables of the environment that count beside the URL; empty when there are none.
    private static var ofEnvironment: String {
        let names = LoginEnvironment.names
        return names.isEmpty
            ? "" : " PostgreSQL's variables in the environment count too: \(names.joined(separator: ", "))."
    }

    private static func words(for state: SQLState) -> String {
        switch state.class {
        case .connection, .operatorIntervention, .insufficientResources:
            return """
                The database cannot be reached (SQLSTATE \(state)). \
                See that PostgreSQL runs and that the URL is right.\(ofEnvironment)
                """
        default: break
        }
        switch state.rawValue {
        case "42501":
            return """
                The database login may not do this (42501). Migrate as the owner of the database; if it lacks \
                CREATEROLE, let an administrator first run: create role causeboard_server login; \
                grant causeboard_server to the owner. Serve as causeboard_server or its member.
                """
        case "28000", "28P01":
            return """
                The database refuses the login (\(state)). See that user and password in the URL are right; \
                before the first `causeboard migrate` there is no causeboard_server.
                """
        case "3D000": return "There is no such database (3D000). Create it, or correct the URL."
        case "22023":
            return """
                The database refuses the session (22023): its role causeboard_server is missing. \
                Run `causeboard migrate` as the owner.
                """
        default: return "The database answered with SQLSTATE \(state)."
        }
    }
}
