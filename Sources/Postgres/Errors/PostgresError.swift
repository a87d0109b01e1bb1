import CPQ

/// An error of the server or of this module, identified by its SQLSTATE.
///
/// `description` says the SQLSTATE and a fixed sentence. The server's own words quote row values, so they are in
/// `debugDescription` and `details` only, for a debug log. (A collection or an enumeration that holds an error prints
/// its `debugDescription`: log the error itself.)
package struct PostgresError: Error, Sendable {
    package enum Origin: String, Sendable { case server, client }

    package let state: SQLState
    package let origin: Origin

    /// Whether a retry is harmless: true only when nothing was sent, or when the server has certainly rolled it back.
    /// It is false for a connection that was lost while a statement or a commit was under way. It is about the
    /// statement, pipeline or `transaction` that failed and not about earlier ones, and assumes that no `CALL` commits
    /// inside.
    package let safeToRetry: Bool

    /// Whether nothing of the transaction that failed is kept, because nothing was sent or the server has said so. A
    /// retry may fail again, as after a violated constraint.
    package let isRolledBack: Bool

    /// With `cannotConnect`: the SQLSTATE with which the server refused the connection, if it was reached, such as
    /// 28P01 or 3D000; PX002 when this module refused a former primary.
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
        /// The position in the statement in characters, counted from 1; empty when the error points at none.
        package var position = ""

        package init(message: String = "") { self.message = message }
    }

    /// - Parameter isRolledBack: Nil for whether a retry is harmless.
    init(
        _ state: SQLState, origin: Origin, safeToRetry: Bool, isRolledBack: Bool? = nil, refusal: SQLState? = nil,
        details: Details
    ) {
        self.state = state
        self.origin = origin
        self.safeToRetry = safeToRetry
        self.isRolledBack = isRolledBack ?? safeToRetry
        self.refusal = refusal
        self.details = details
    }

    /// Makes an error that arose in the client.
    init(_ state: SQLState, safeToRetry: Bool, message: String = "", refusal: SQLState? = nil) {
        self.init(
            state, origin: .client, safeToRetry: safeToRetry, refusal: refusal, details: Details(message: message))
    }
}

extension PostgresError {
    /// Reads the error out of a failed result.
    /// - Parameter mayHaveCommitted: whether a commit failed. If the session ended with it, it is unknown whether the
    ///   commit happened.
    init(result: OpaquePointer, mayHaveCommitted: Bool) {
        let details = Details(result: result)
        // libpq makes results of its own when the connection breaks; those have no SQLSTATE.
        guard let state = SQLState(field: CPQ_DIAG_SQLSTATE, of: result) else {
            self.init(.connectionLost, origin: .client, safeToRetry: false, details: details)
            return
        }
        let sessionEnded = details.severity == "FATAL" || details.severity == "PANIC"
        self.init(
            state, origin: .server, safeToRetry: state.provesRollback && !(sessionEnded && mayHaveCommitted),
            isRolledBack: state != .completionUnknown && !(sessionEnded && mayHaveCommitted), details: details)
    }

    func with(safeToRetry: Bool) -> PostgresError {
        PostgresError(state, origin: origin, safeToRetry: safeToRetry, refusal: refusal, details: details)
    }

    /// A statement returned fewer rows than it was asked for.
    package static var tooFewRows: PostgresError { PostgresError(.noData, safeToRetry: false) }

    /// Whether a prepared statement was missing or outdated. Nothing was kept, and the session prepares its statements
    /// again when they are next sent.
    package var isStalePlan: Bool { safeToRetry && (state == .unknownStatement || state == .featureNotSupported) }

    /// The same error with the client as its origin, because the client asked for it.
    var asOurs: PostgresError {
        PostgresError(
            state, origin: .client, safeToRetry: safeToRetry, isRolledBack: isRolledBack, refusal: refusal,
            details: details)
    }
}

extension PostgresError.Details {
    init(result: OpaquePointer) {
        func field(_ code: Int32) -> String { PQresultErrorField(result, code).map { String(cString: $0) } ?? "" }
        self.init(message: field(CPQ_DIAG_MESSAGE))
        if message.isEmpty, let text = PQresultErrorMessage(result) { message = String(cString: text) }
        severity = field(CPQ_DIAG_SEVERITY)
        detail = field(CPQ_DIAG_DETAIL)
        hint = field(CPQ_DIAG_HINT)
        context = field(CPQ_DIAG_CONTEXT)
        schema = field(CPQ_DIAG_SCHEMA)
        table = field(CPQ_DIAG_TABLE)
        column = field(CPQ_DIAG_COLUMN)
        constraint = field(CPQ_DIAG_CONSTRAINT)
        position = field(CPQ_DIAG_POSITION)
    }
}

extension SQLState {
    init?(field code: Int32, of result: OpaquePointer) {
        guard let text = PQresultErrorField(result, code) else { return nil }
        self.init(rawValue: String(cString: text))
    }

    /// Whether a statement that failed this way has certainly been rolled back and may succeed when it is sent again.
    fileprivate var provesRollback: Bool {
        switch self {
        case .completionUnknown: false
        case .adminShutdown, .crashShutdown, .cannotConnectNow, .readOnlyTransaction: true
        default: self.class == .transactionRollback || self.class == .insufficientResources
        }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        let refused = refusal.map { " (server said \($0))" } ?? ""
        return "\(state): \(sentence)\(refused)"
    }

    package var debugDescription: String {
        let fields: [(name: String, text: String)] = [
            ("severity", details.severity), ("message", details.message), ("detail", details.detail),
            ("hint", details.hint), ("context", details.context), ("schema", details.schema), ("table", details.table),
            ("column", details.column), ("constraint", details.constraint), ("position", details.position),
        ]
        let details = fields.filter { !$0.text.isEmpty }.map { "\($0.name): \($0.text)" }
        return (["\(description) [\(origin.rawValue), safe to retry: \(safeToRetry)]"] + details).joined(
            separator: "; ")
    }

    private var sentence: String {
        switch state {
        case .cannotConnect: return "no connection to the database could be made"
        case .connectionLost: return "the connection to the database was lost"
        case .connectionNotOpen: return "the connection is closed or was given back"
        case .queryCancelled: return "the statement was cancelled"
        case .completionUnknown: return "it is unknown whether the transaction was kept"
        case .noData: return "a row was expected and there was none"
        case .tooManyRows: return "more rows came than were expected"
        default: break
        }
        switch state.class {
        case .connection: return "the connection to the database failed"
        case .dataException: return "a value was refused"
        case .integrityConstraint: return "a constraint was violated"
        case .transactionRollback: return "the transaction was rolled back"
        case .syntaxOrAccess: return "the statement was refused"
        case .insufficientResources: return "the database or its pool is at its limit"
        case .operatorIntervention: return "the database was stopped or interrupted the statement"
        case .client: return "the program and the database disagree"
        case .other: return "the statement failed"
        }
    }
}

/// An error that has a case for a failing database, so that code which runs inside a lent connection can throw it with
/// its type kept.
package protocol PostgresErrorConvertible: Error { init(_ error: PostgresError) }

extension PostgresError: PostgresErrorConvertible { package init(_ error: PostgresError) { self = error } }

/// A failure of this module or of the caller's code that it runs, such as the body of a transaction.
enum LentFailure<E: Error>: Error {
    case postgres(PostgresError)
    case body(E)
}

extension LentFailure where E: PostgresErrorConvertible {
    var merged: E {
        switch self {
        case .postgres(let error): E(error)
        case .body(let error): error
        }
    }
}

extension LentFailure where E == any Error {
    var merged: any Error {
        switch self {
        case .postgres(let error): error
        case .body(let error): error
        }
    }
}
