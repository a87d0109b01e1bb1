/// What went wrong, by its SQLSTATE.
///
/// `description` says the SQLSTATE and a fixed sentence. The server's own words quote row values, so they are in `debugDescription` and
/// `details` only, for a debug log. (A collection or an enumeration that holds an error prints its `debugDescription`: log the error itself.)
package struct PostgresError: Error, Sendable {
    package enum Origin: String, Sendable { case server, client }

    package let state: SQLState
    package let origin: Origin

    /// Whether doing it again is harmless: true only when nothing can have happened, because nothing was sent or because the server
    /// has rolled it back for certain. A connection lost while a statement or a commit was under way is not.
    /// It speaks of the statement, pipeline or `transaction` that failed, not of earlier ones, and assumes no `CALL` that commits inside.
    package let safeToRetry: Bool

    /// With `cannotConnect`: the SQLSTATE with which the server turned us away, if it was reached, such as 28P01 or 3D000.
    package let refusal: SQLState?

    package let details: Details

    /// The server's words. They may quote row values: not for users, and not for logs above debug level.
    package struct Details: Sendable, Equatable {
        package var severity = ""
        package var message = ""
        package var detail = ""
        package var hint = ""
        package var context = ""
        package var schema = ""
        package var table = ""
        package var column = ""
        package var constraint = ""
        /// Counted in characters from 1; empty when the error points at no place in the statement.
        package var position = ""

        package init(message: String = "") { self.message = message }
    }

    init(_ state: SQLState, origin: Origin, safeToRetry: Bool, refusal: SQLState? = nil, details: Details) {
        self.state = state
        self.origin = origin
        self.safeToRetry = safeToRetry
        self.refusal = refusal
        self.details = details
    }

    /// An error that this side made.
    init(_ state: SQLState, safeToRetry: Bool, message: String = "", refusal: SQLState? = nil) {
        self.init(state, origin: .client, safeToRetry: safeToRetry, refusal: refusal, details: Details(message: message))
    }
}
