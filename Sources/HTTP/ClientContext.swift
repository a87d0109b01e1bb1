package import Hummingbird
import NIOCore

/// A request's context: it knows the client's connection, so that one that misbehaves can be closed.
package struct ClientContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Stops reading from the client once its time is up, so that whoever waits for more of a body goes on.
    /// - Returns: To cancel when the body has come.
    func deadline(after time: Duration) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: TimeAmount(time)) { [channel] in channel.close(mode: .input, promise: nil) }
    }

    /// The body, after which the connection is closed: what still comes on it is not worth waiting for.
    func closing(after body: ByteBuffer) -> ResponseBody {
        ResponseBody(contentLength: body.readableBytes) { [channel] writer in
            try await writer.write(body)
            try await writer.finish(nil)
            channel.close(promise: nil)
        }
    }
}
