import Domain
import Postgres
import Statements

/// `secret_claim.sql`
struct SecretClaim: Query {
    typealias Row = Void
    static let sql = SQL.secretClaim
    let fingerprint: [UInt8]
    let now: Instant
    var binds: Binds { [Bytes(fingerprint), now] }
}

/// `secret_fingerprint.sql`
struct SecretFingerprint: Query {
    static let sql = SQL.secretFingerprint
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bytes { try row.next() }
}

/// `server_role_check.sql`
struct ServerRoleCheck: Query {
    static let sql = SQL.serverRoleCheck
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (name: String, canRewriteLedgers: Bool) {
        (try row.next(), try row.next())
    }
}

/// `server_version.sql`
struct ServerVersion: Query {
    static let sql = SQL.serverVersion
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (number: Int32, isReadOnly: Bool) {
        (try row.next(), try row.next())
    }
}
