/// Something the server had to say that is not an error. Its words may quote row values, as an error's may.
package struct Notice: Sendable, CustomStringConvertible {
    package let state: SQLState?
    package let details: PostgresError.Details

    package var description: String { state?.rawValue ?? "notice" }
}
