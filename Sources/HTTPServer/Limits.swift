package import Domain

// The bounds of connections, and of what they take and send.
extension Limits {
    /// Bytes of a request's head.
    package static let headBytesMax = 80 * 1024
    /// Bytes of a request's body as it is sent, before percent-decoding.
    package static let bodyBytesMax = 256 * 1024
    /// Bytes that a server holds of what clients have sent, over all connections: request bodies, and bytes that wait
    /// to be parsed beyond ``unparsedBytesFree``. Requests beyond it are answered 503. As many bytes of responses may
    /// wait for their clients to read; those beyond it end their connection or their stream. Once more than half wait,
    /// so do those of which clients have read nothing for ``stalledSeconds``.
    package static let inputBytesMax = 128 * 1024 * 1024
    /// Bytes of each connection's body that do not count in ``inputBytesMax``, so that scores always pass.
    package static let bodyBytesFree = 8 * 1024
    /// One address may use this fraction (1/n) of ``inputBytesMax``. Larger blocks (``AddressBlock``), and all event
    /// networks together, may use half.
    package static let addressesFillingInput = 4
    package static let blocksFillingInput = 2
    /// Bytes of pipelined requests that are parsed at once. Parts of requests take up to twenty times the room of their
    /// bytes, so the others wait as bytes.
    package static let parsedBytesMax = 8 * 1024
    /// Bytes of one connection that wait to be parsed. A read brings 64 KiB at most; only a client that ends its input
    /// can have sent more.
    package static let unparsedBytesMax = 256 * 1024
    /// How many of them do not count in ``inputBytesMax``, so that ordinary requests never ask for room.
    package static let unparsedBytesFree = 8 * 1024
    /// Open client connections. The next one takes the place of the one that has been idle longest.
    package static let clientConnectionsMax = 8_192
    /// Fewest connections that a server is started for.
    package static let clientConnectionsMin = 128
    /// Open connections of one address by default.
    package static let connectionsOfAddress = 256
    /// New connections of one address in a second, and at once after a pause. TLS makes each one cost a handshake.
    package static let newConnectionsPerSecond = 20
    package static let newConnectionsAtOnce = 300
    /// Connections that have made room and have not closed yet: TLS may take ``tlsGoodbyeSeconds`` for its goodbye.
    /// While there are so many, a full server refuses new connections.
    package static let closingConnectionsMax = 256
    /// Connections that the system keeps while they wait to be accepted, unless `net.core.somaxconn` is less. Once the
    /// queue is full, the system drops what a client sends first, and the client tries again only after a second.
    package static let connectionBacklog = 4_096
    /// Responses in a row that are 429, or that count in no limit, before their connection ends. Clients that honour
    /// `Retry-After` never get so many, and health probes reconnect.
    package static let refusalsInRowMax = 100
    /// Requests of one connection that are answered before the other connections of its event loop have a turn, those
    /// that the resting connections of a client take in a turn, and microseconds before the next turn. One read may
    /// bring thousands. The pause is longer than the event loop takes from one task to the next, or it would not look
    /// at other connections.
    package static let answersInTurnMax = 16
    static let turnPauseMicroseconds: Int64 = 1_000
    /// What each piece of a client's input costs an event loop, in bytes: a head, a frame, a chunk, a record of TLS.
    package static let pieceCostBytes = 512
    /// What the bodies, frames and heads of one client may cost an event loop, in bytes, in so many milliseconds, or in
    /// what it takes to serve all connections that are ready if that is longer. Beyond it the client's connections take
    /// turns, each of so many bytes.
    package static let inputShareBytes = 128 * 1024
    static let inputShareMilliseconds: Int64 = 4
    package static let inputTurnBytes = 32 * 1024
    /// Bytes below which a frame, chunk or record is small: how many small ones a connection may send at once and in
    /// a second before it ends. Larger ones make up for them.
    package static let smallPieceBytes = 64
    package static let smallPiecesAtOnce = 1_024
    package static let smallPiecesPerSecond = 100
    /// What a request, and the first bytes of a write to the client, take off the count of small pieces, in bytes.
    static let paidByHeadBytes = 256
    static let paidByWriteBytes = 128
    /// So many bytes of a write take one more off: 42 bytes for each KiB. A client that acknowledges each 4 KiB, for
    /// the stream and for the connection, over TLS, owes 35 for it.
    static let sentBytesForByte = 24
    /// New connections that an address may open less after a connection of it has ended so.
    static let floodChargeConnections = 10
    /// Files that a server has open beside its connections and its event loops: logs, listening sockets, pipes.
    package static let otherFilesMax = 64
    /// Files of one event loop: its queue, its timer and what wakes it.
    package static let eventLoopFiles = 3
    /// Seconds that a request's head may take, from its first byte or from the opening of the connection.
    package static let headSecondsMax: Int64 = 10
    /// Seconds without traffic after which a client connection is closed, also when its client does not read.
    package static let idleSeconds: Int64 = 75
    /// Seconds without reading after which the server may close a client's connection to accept another.
    package static let stalledSeconds: Int64 = 5
    /// Seconds that a body may take to arrive once its head has been read.
    package static let bodySecondsMax: Int64 = 30
    /// Seconds that running requests have to finish when the server stops.
    package static let drainSeconds: Int64 = 5
    /// Connections to the admin listener.
    package static let adminConnectionsMax = 64
    /// Buckets of one limit of rates: callers that are remembered at once.
    package static let rateBucketsMax = 100_000
    /// The highest rate (per second) and the highest burst that an operator may set.
    package static let ratePerSecondMax = 1_000_000
    package static let rateBurstMax = 1 << 30
    /// Days in which a rate's bucket must be full again.
    package static let rateFillDaysMax = 366
    /// Proxies that one request may have come through, and bytes in which each may name its client.
    package static let proxyHopsMax = 16
    package static let proxyHopBytesMax = 256
    /// Networks of events that an operator may name.
    package static let eventNetworksMax = 8
    /// Networks of trusted proxies that an operator may name.
    package static let trustedProxiesMax = 64
    /// Seconds that a client has for the TLS handshake.
    package static let handshakeSeconds: Int64 = 10
    /// Seconds that a closing connection waits for the client to say goodbye in TLS.
    package static let tlsGoodbyeSeconds: Int64 = 2
    /// Bytes of a file with certificates or a key.
    package static let certificateFileBytesMax = 1024 * 1024
    /// Days before its end at which a certificate is warned of. Renewals come a month before the end.
    package static let certificateWarningDays: Int64 = 14
    /// Bytes of events that wait until the client of one stream reads; then the stream ends.
    package static let liveBacklogBytesMax = 256 * 1024
    /// Bytes of events that wait over all streams, without the first of each. Streams beyond it end.
    package static let liveBacklogsBytesMax = 64 * 1024 * 1024
}
