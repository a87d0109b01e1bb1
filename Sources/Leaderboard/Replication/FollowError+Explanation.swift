import Logging
import Storage

extension FollowError {
    /// The log line's text: what the loss of the stream means, and what to change.
    var explanation: String {
        switch self {
        case .notLogical:
            """
            ranks come from SQL, which is slow with many players: wal_level is not logical. \
            Run 'alter system set wal_level = logical' and restart PostgreSQL
            """
        case .notAllowed:
            """
            ranks come from SQL, which is slow with many players: the login may not replicate. \
            Name one that may with --stream-url, such as causeboard_stream
            """
        case .pooled:
            """
            ranks come from SQL, which is slow with many players: the stream cannot go through a pooler. \
            Name the database itself with --stream-url
            """
        case .noPublication:
            """
            ranks come from SQL, which is slow with many players: there is no publication causeboard. \
            Let a login that has CREATE on the database run 'causeboard migrate'
            """
        case .noSlot:
            """
            ranks come from SQL until there is a free replication slot: \
            raise max_replication_slots and max_wal_senders
            """
        case .busy:
            """
            ranks come from SQL until a transaction ends that has written and goes on: \
            see pg_stat_activity for the oldest xact_start, and pg_prepared_xacts
            """
        case .silent:
            """
            ranks come from SQL, because the stream brings nothing of what this server commits; another one is \
            followed. See that --stream-url leads to the database of --database-url, and to no former primary
            """
        case .emptied: "very many rows of rankings were changed at once; standings are loaded again"
        case .lost: "ranks come from SQL until the database's stream is back"
        }
    }

    var metadata: Logger.Metadata { if case .lost(let state) = self { ["sqlstate": "\(state)"] } else { [:] } }
}
