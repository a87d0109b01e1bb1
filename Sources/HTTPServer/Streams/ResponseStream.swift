package import NIOCore

/// A body that is sent piece by piece, as it comes about. Its calls come on the connection's event loop, but for the
/// properties.
package protocol ResponseStream: AnyObject, Sendable {
    /// Whether the body is whole after each piece, as events are. A connection may end such a body whenever it has to;
    /// of any other one the client has to notice that something is missing.
    var mayEndAnywhere: Bool { get }
    /// The room for what clients have not read, over all streams; nil when the pieces wait for their client.
    var budget: BacklogBudget? { get }
    /// Sends the pieces from now on. It is called once.
    func begin(on eventLoop: any EventLoop, _ sink: any EventSink)
    /// Nothing more is sent. Calls after the first one do nothing.
    func end(on eventLoop: any EventLoop)
    /// Everything that was handed over has left.
    func drained()
    /// The client was too far behind, and the connection ends the stream for it.
    func wasCut()
}

/// Where the events of a stream go: the connection of its client. All calls come on the connection's event loop.
package protocol EventSink: AnyObject {
    /// May end the stream, when its client is too far behind.
    func receive(_ bytes: EventBytes)
    /// The stream is over. The sink ends it.
    func finish()
    /// The stream ends before its body is whole. The sink lets the client notice.
    func fail()
}
