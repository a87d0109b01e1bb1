package import Logging
package import Postgres
import Statements

/// Checks the parameters in every statement's header against PostgreSQL.
package enum StatementContract {
    /// The number of statements.
    package static var count: Int { SQL.all.count }

    /// Prepares every statement and compares its parameters with its header.
    /// - Returns: A sentence for each statement that does not prepare or takes other parameters than its header says.
    package static func violations(_ settings: ConnectionSettings, logger: Logger) async throws(PostgresError)
        -> [String]
    {
        let connection = try await Connection.open(settings, logger: logger)
        defer { connection.close() }
        var violations: [String] = []
        for (name, text) in SQL.all {
            let described: StatementDescription
            do throws(PostgresError) { described = try await connection.describe(text.description) } catch {
                guard connection.isUsable else { throw error }
                violations.append("\(name) does not prepare (\(error.state))")
                continue
            }
            let promised = parameters(ofHeader: text.description)
            if promised != described.parameters.map(Self.name(of:)) {
                violations.append(
                    "\(name) takes \(described.parameters.map(Self.name(of:))), its header says \(promised)")
            }
        }
        return violations
    }

    /// The types after `$1`, `$2`, ... in the comment lines at the top, in that order.
    static func parameters(ofHeader text: String) -> [String] {
        var types: [String] = []
        for line in text.split(separator: "\n").prefix(while: { $0.hasPrefix("--") }) {
            for part in line.dropFirst(2).split(separator: "$").dropFirst() {
                let words = part.split(separator: " ")
                guard words.count >= 2, words[0] == "\(types.count + 1)" else { continue }
                types.append(String(words[1]))
            }
        }
        return types
    }

    /// The type's name as headers spell it.
    private static func name(of type: OID) -> String { names[type] ?? "type \(type.rawValue)" }

    private static let names: [OID: String] = [
        Bool.oid: "bool", Int16.oid: "smallint", Int32.oid: "int", Int64.oid: "bigint", Double.oid: "double",
        String.oid: "text", Bytes.oid: "bytea", Timestamp.oid: "timestamptz", CalendarDay.oid: "date",
        Int128.oid: "numeric", OID.uuid: "uuid", Bool.arrayOID: "bool[]", Int32.arrayOID: "int[]",
        Int64.arrayOID: "bigint[]", String.arrayOID: "text[]", Bytes.arrayOID: "bytea[]",
        Timestamp.arrayOID: "timestamptz[]", OID.uuidArray: "uuid[]", CalendarDay.arrayOID: "date[]",
        Int128.arrayOID: "numeric[]",
    ]
}
