package import Credentials
package import Domain
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

extension Store {
    /// Ties the database to a secret at the first call. Returns whether the database is tied to this secret.
    package func accepts(_ secret: Secret, now: Instant) async throws(StoreError) -> Bool {
        let kept = try await changing { connection throws(PostgresError) in
            try await connection.run(SecretClaim(fingerprint: secret.fingerprint, now: now))
            return try await connection.row(SecretFingerprint())
        }
        return kept.bytes == secret.fingerprint
    }

    /// Whether the database is tied to this secret; nil when no server has tied it to one yet. Changes nothing.
    package func knows(_ secret: Secret) async throws(StoreError) -> Bool? {
        let kept = try await general { connection throws(PostgresError) in
            try await connection.firstRow(SecretFingerprint())
        }
        return kept.map { $0.bytes == secret.fingerprint }
    }

    /// The role of the sessions, and whether it could change or delete a ledger's row, which it must not.
    package func serverRole() async throws(StoreError) -> (name: String, canRewriteLedgers: Bool) {
        try await general { connection throws(PostgresError) in try await connection.row(ServerRoleCheck()) }
    }

    /// PostgreSQL's version number, such as 150018, and whether it accepts no writes.
    package func serverVersion() async throws(StoreError) -> (number: Int32, isReadOnly: Bool) {
        try await general { connection throws(PostgresError) in try await connection.row(ServerVersion()) }
    }
}
