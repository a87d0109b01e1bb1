/// Why a process opens the embedded database.
package enum Holder: String, Sendable {
    /// `causeboard serve`: one at a time for each data directory.
    case server
    /// A verb that needs the database for a moment, beside a server or alone.
    case visitor
}
