/// Why a database is not filled with a demo. Nothing was changed.
package enum DemoRefusal: Error, Equatable, CustomStringConvertible {
    /// Somebody has played already.
    case inUse
    /// The board `high-scores` is not what it was at first.
    case boardChanged
    /// Something of the demo's is there already, such as "game kestrel-run".
    case taken(String)

    package var description: String {
        switch self {
        case .inUse:
            "The database has players already, and a demo must not mix with them. Name a directory that is not there yet with --data."
        case .boardChanged:
            "The board high-scores has been reset or has other settings than at first. Name a directory that is not there yet with --data."
        case .taken(let thing):
            "There is a \(thing) already, or one that is called the same. Name a directory that is not there yet with --data."
        }
    }
}
