package import Domain

// The bounds of an HTTP/2 connection. `HTTP2Connection` adds them up.
extension Limits {
    /// Streams that a client may have open at once. NIO enforces the same number before the client has acknowledged
    /// our settings, so a client gains nothing by not acknowledging them.
    package static let streamsMax = 100
    /// Requests of one connection that are answered at once; further ones wait for their turn. A request counts until
    /// its task has ended and its response has been sent, also when the client has reset the stream.
    package static let streamsAnsweredMax = 16
    /// Bytes of a request's head after decompression, with 32 for each field (RFC 9113, section 6.5.2). It is NIO's
    /// default for the same reason as ``streamsMax``.
    package static let streamHeadBytesMax = 16 * 1024
    /// Bytes of the request bodies that one connection holds: two of the largest. Streams beyond it are answered 503,
    /// and so are those beyond what all connections may hold together (``inputBytesMax``).
    package static let streamBodiesBytesMax = 2 * bodyBytesMax
    /// Bytes of a response that are handed to a stream at once; the next ones follow when these have been sent.
    package static let streamChunkBytes = 16 * 1024
    /// Bytes of responses of one connection that wait for the client to read. While there are more, it is answered no
    /// further request.
    package static let unreadBytesOfConnectionMax = 256 * 1024
    /// Seconds that a client may take to read one chunk of a response, and a connection to take any bytes at all.
    package static let streamChunkSecondsMax: Int64 = 30
    /// Seconds between two looks at the deadlines of a connection and its streams.
    package static let streamCheckSeconds: Int64 = 5
    /// Seconds that a client has to acknowledge that the connection is going away, before it is told the last stream.
    package static let goAwaySeconds: Int64 = 1
    /// Streams that a client may reset within ``streamFaultsSeconds`` (CVE-2023-44487), and streams that it may bring
    /// the server to reset (CVE-2025-8671).
    package static let streamResetsMax = 200
    /// PING, SETTINGS and PRIORITY frames within ``streamFaultsSeconds``.
    package static let controlFramesMax = 200
    /// Seconds of the window in which resets, errors and control frames are counted.
    package static let streamFaultsSeconds: Int64 = 30
    /// Frames other than DATA that wait until the client reads. The heads of all responses and the updates of windows
    /// fit; only acknowledgements for a client that never reads reach it.
    package static let bufferedControlFramesMax = 1_024
    /// CONTINUATION frames in a row (CVE-2024-27983). A head of ``streamHeadBytesMax`` needs one.
    package static let continuationFramesMax = 4
    /// DATA frames without data in a row, which some clients send once before the frame that ends the stream.
    package static let emptyDataFramesMax = 1
    /// Streams that were reset a moment ago and whose frames may still be under way; they are ignored.
    package static let resetStreamsRemembered = 128
}
