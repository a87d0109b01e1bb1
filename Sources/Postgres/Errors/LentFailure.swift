/// Who failed while this module and the caller's code took turns.
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
