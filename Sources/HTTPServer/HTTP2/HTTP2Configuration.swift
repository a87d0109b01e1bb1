import Domain
import NIOCore
import NIOHTTP2

extension NIOHTTP2Handler.Configuration {
    /// NIO's HTTP/2 for clients on the open internet. Every bound is set here and none is left to a default; the
    /// reasons are with the numbers in `Limits`.
    static let openInternet: Self = {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: Limits.streamsMax),
            HTTP2Setting(parameter: .maxHeaderListSize, value: Limits.streamHeadBytesMax),
        ]
        connection.headerBlockValidation = .enabled
        connection.contentLengthValidation = .enabled
        connection.maximumSequentialEmptyDataFrames = Limits.emptyDataFramesMax
        connection.maximumBufferedControlFrames = Limits.bufferedControlFramesMax
        connection.maximumSequentialContinuationFrames = Limits.continuationFramesMax
        connection.maximumRecentlyResetStreams = Limits.resetStreamsRemembered
        connection.maximumConnectionGlitches = Limits.streamResetsMax
        connection.targetWindowSize = windowBytes
        connection.controlFrameRateLimit.maximumCount = Limits.controlFramesMax
        connection.controlFrameRateLimit.windowLength = .seconds(Limits.streamFaultsSeconds)

        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = windowBytes
        // A response is written by chunks, and the next one only when the one before it has been sent.
        stream.outboundBufferSizeHighWatermark = Limits.streamChunkBytes
        stream.outboundBufferSizeLowWatermark = Limits.streamChunkBytes / 2
        stream.streamResetFrameRateLimit.maximumCount = Limits.streamResetsMax
        stream.streamResetFrameRateLimit.windowLength = .seconds(Limits.streamFaultsSeconds)
        stream.streamErrorRateLimit.maximumCount = Limits.streamResetsMax
        stream.streamErrorRateLimit.windowLength = .seconds(Limits.streamFaultsSeconds)
        return Self(connection: connection, stream: stream)
    }()

    /// The window of RFC 9113, section 6.9.2, for a stream and for the connection: bodies are small, and a larger one
    /// would only let a client send what is going to be refused.
    private static let windowBytes = 65_535
}
