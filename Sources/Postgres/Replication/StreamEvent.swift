/// What the stream tells, one message at a time. The rows in it are valid only while it is lent.
package enum StreamEvent: ~Copyable {
    /// A transaction follows that was committed at this position of the log. Transactions come whole, in the order of their commits.
    case begin(LogPosition)
    /// The transaction is complete.
    case commit(at: Timestamp)
    case insert(StreamRelation, StreamTuple)
    /// The old row is there if the table's replica identity is full; its key, if that has changed.
    case update(StreamRelation, old: StreamTuple?, new: StreamTuple)
    /// The old row if the table's replica identity is full, else its key.
    case delete(StreamRelation, StreamTuple)
    case truncate([StreamRelation])
    /// What a session wrote into the log by `pg_logical_emit_message`.
    case message(prefix: String, content: String)
}
