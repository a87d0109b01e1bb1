package import Domain

// The bounds of event streams. `LiveHub` keeps them.
extension Limits {
    /// Open streams in all; the next one is answered 503.
    package static let liveStreamsMax = 10_000
    /// Open streams of one client address; the next one is answered 429.
    package static let liveStreamsOfAddress = 8
    /// Topics that one block of addresses (``AddressBlock``) opened and that still have watchers. A topic takes up to a
    /// quarter of a megabyte, so these use at most a quarter of ``liveStatesBytesMax``.
    package static let liveTopicsOfBlock = 64
    /// Open streams of one player of what it is told of itself; the next one is answered 429.
    package static let liveStreamsOfPlayer = 4
    /// Milliseconds between two looks at what streams show, and so between two events of one stream.
    package static let liveTickMilliseconds: Int64 = 250
    /// Looks from one event to the next while ranks come from SQL: 2 s.
    package static let liveTicksWithSQL: UInt64 = 8
    /// Looks from one event of what a player is told of itself to the next: 1 s.
    package static let liveTicksOfOwn: UInt64 = 4
    /// Looks after which it is read again, whatever is known of it: 15 s.
    package static let liveTicksOfOwnAnew: UInt64 = 60
    /// Seconds after which points that settle are looked at again.
    package static let liveSettlingSeconds: Int32 = 5
    /// Players of whom one look asks whether something has changed, so that all 10,000 are asked about in 2 s.
    package static let liveOwnPerLook = 1_250
    /// Looks from one comment of a stream to the next: 15 s.
    package static let liveTicksPerComment = 60
    /// Comments of a stream, after which it ends: 30 minutes.
    package static let liveCommentsMax = 120
    /// Milliseconds after which the client of a stream that has ended comes again.
    package static let liveRetryMilliseconds = 3_000
    /// Seconds after which a client over ``liveStreamsOfAddress`` may try again. Polling a feed is allowed meanwhile.
    package static let liveRefusedSeconds = 15
    /// Bytes of the states that are kept for those who open a stream. While there are more, a stream of anything else
    /// is answered 503.
    package static let liveStatesBytesMax = 64 * 1024 * 1024
    /// States that are read again at once.
    package static let liveReadsMax = 4
}
